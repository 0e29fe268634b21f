Primitive
Torus 0 0 0 1 2
