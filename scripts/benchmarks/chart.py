"""Charts as SVG, without a library: times by kernel, and the roofline."""
from math import ceil, floor, log10
from xml.sax.saxutils import escape

COLOURS = {"appyc": "#c0392b", "numpy": "#7f8c8d", "numba": "#2980b9", "cupy": "#27ae60", "jax": "#8e44ad", "torch": "#e67e22"}
LEFT, TOP, ROW = 130, 50, 22


class Drawing:
    def __init__(self, width, height, title):
        self.size, self.parts = (width, height), []
        self.text(width / 2, 22, title, "middle", 15)

    def line(self, x1, y1, x2, y2, colour="#ccc", width=1.0):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>')

    def text(self, x, y, words, anchor="start", size=11, colour="#222"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{escape(words)}</text>')

    def dot(self, x, y, colour, radius=4.5, tip=""):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" fill-opacity="0.85"><title>{escape(tip)}</title></circle>')

    def svg(self):
        width, height = self.size
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
                f'font-family="sans-serif">\n<rect width="{width}" height="{height}" fill="white"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def decades(values):
    """The powers of ten around the values."""
    return floor(log10(min(values))), max(ceil(log10(max(values))), floor(log10(min(values))) + 1)


def number(value):
    return f"{value:g}" if 1e-4 <= value < 1e5 else f"{value:.0e}"


def times_chart(times, title):
    """{kernel: {peer: ms}}: a row a kernel, a dot a peer, time on a logarithmic axis."""
    peers = [p for p in COLOURS if any(p in row for row in times.values())]
    low, high = decades([ms for row in times.values() for ms in row.values()])
    width, bottom = 900, TOP + ROW * len(times)
    drawing = Drawing(width, bottom + 60, title)

    def x(ms):
        return LEFT + (width - LEFT - 30) * (log10(ms) - low) / (high - low)

    for power in range(low, high + 1):
        drawing.line(x(10.0**power), TOP - 8, x(10.0**power), bottom)
        drawing.text(x(10.0**power), bottom + 16, number(10.0**power), "middle")
    drawing.text((LEFT + width) / 2, bottom + 34, "milliseconds", "middle")
    for index, (kernel, row) in enumerate(times.items()):
        y = TOP + ROW * (index + 0.5)
        drawing.line(LEFT, y, width - 30, y, "#eee")
        drawing.text(LEFT - 8, y + 4, kernel, "end")
        for peer, ms in sorted(row.items(), key=lambda item: item[0] == "appyc"):
            drawing.dot(x(ms), y, COLOURS[peer], 6 if peer == "appyc" else 4.5, f"{peer}: {ms:.4g} ms")
    for index, peer in enumerate(peers):
        drawing.dot(LEFT + 110 * index, bottom + 48, COLOURS[peer])
        drawing.text(LEFT + 110 * index + 9, bottom + 52, peer)
    return drawing.svg()


def roofline_chart(points, bandwidth, peak, title):
    """{kernel: (flops a byte, GFLOP/s)} under the machine's limits: `bandwidth` in GB/s, `peak` in GFLOP/s."""
    xs = [x for x, _ in points.values()] + [peak / bandwidth]
    left, right = decades(xs)
    ys = [y for _, y in points.values()] + [peak, min(peak, bandwidth * 10.0**left)]
    low, high = decades(ys)
    width, height, foot = 900, 560, 510
    drawing = Drawing(width, height, title)

    def x(value):
        return LEFT + (width - LEFT - 40) * (log10(value) - left) / (right - left)

    def y(value):
        return foot - (foot - TOP) * (log10(value) - low) / (high - low)

    for power in range(left, right + 1):
        drawing.line(x(10.0**power), TOP, x(10.0**power), foot)
        drawing.text(x(10.0**power), foot + 16, number(10.0**power), "middle")
    for power in range(low, high + 1):
        drawing.line(LEFT, y(10.0**power), width - 40, y(10.0**power))
        drawing.text(LEFT - 8, y(10.0**power) + 4, number(10.0**power), "end")
    drawing.text((LEFT + width) / 2, foot + 36, "flops a byte that must be moved", "middle")
    drawing.text(16, TOP - 12, "GFLOP/s")
    knee = min(max(peak / bandwidth, 10.0**left), 10.0**right)
    drawing.line(x(10.0**left), y(bandwidth * 10.0**left), x(knee), y(bandwidth * knee), "#333", 2)
    drawing.line(x(knee), y(peak), x(10.0**right), y(peak), "#333", 2)
    drawing.text(x(knee), y(peak) - 8, f"{bandwidth:.0f} GB/s, {peak:.0f} GFLOP/s (float64 product), measured", "middle")
    for kernel, (intensity, rate) in points.items():
        drawing.dot(x(intensity), y(rate), COLOURS["appyc"], 4.5, f"{kernel}: {rate:.4g} GFLOP/s")
        drawing.text(x(intensity) + 7, y(rate) + 4, kernel, size=10)
    return drawing.svg()
