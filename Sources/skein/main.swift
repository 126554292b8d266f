print("skein")
