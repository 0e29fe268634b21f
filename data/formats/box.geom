Primitive
Box
1 0 0  0 1 0  -1 0 0  0 0 1  2 4 6
