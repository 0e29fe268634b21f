Cylinder
0 0 1  0 0 2  0.5 3
