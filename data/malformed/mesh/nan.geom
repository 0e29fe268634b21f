Primitive Sphere 0 nan 0 1
