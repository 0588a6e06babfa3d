from installations import from_cmake, from_wheel, installed, wheel  # noqa: F401
