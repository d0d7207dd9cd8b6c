# zlib, which unpacks the compressed members of .npz files. Linked statically where the archive is there: one more shared
# library would cost every start.
find_path(ZLIB_HEADERS zlib.h REQUIRED)
find_library(VIV_ZLIB NAMES libz.a z REQUIRED)
