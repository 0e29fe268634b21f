Primitive Sphere 0 0 0 -1
