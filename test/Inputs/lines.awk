# `appyc --emit=stats` as one line for each function and each of its kernels.
/^(function|kernel): / { if (text) print text; text = $0; next }
NF { sub(/^ */, ""); text = text "; " $0 }
END { print text }
