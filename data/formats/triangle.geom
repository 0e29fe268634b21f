TriangleMesh
3
0 0 0
1 0 0
0 1 0
1
0 1 2
