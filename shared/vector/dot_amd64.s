#include "textflag.h"

// Instructions of SSE2, which every amd64 processor has. Each number is added in its lane
// and in its order, and products are rounded before: the bits are those of dotGo and dot4Go.

// func dotLanes(lanes *[4]float64, a, b *float32, n int)
TEXT ·dotLanes(SB), NOSPLIT, $0-32
	MOVQ lanes+0(FP), DI
	MOVQ a+8(FP), R8
	MOVQ b+16(FP), R9
	MOVQ n+24(FP), CX
	SHLQ $2, CX
	XORQ AX, AX
	XORPD X4, X4 // lanes 0, 1
	XORPD X5, X5 // lanes 2, 3

dot:
	CVTPS2PD (R8)(AX*1), X0
	CVTPS2PD 8(R8)(AX*1), X1
	CVTPS2PD (R9)(AX*1), X2
	CVTPS2PD 8(R9)(AX*1), X3
	MULPD    X2, X0
	MULPD    X3, X1
	ADDPD    X0, X4
	ADDPD    X1, X5
	ADDQ     $16, AX
	CMPQ     AX, CX
	JLT      dot
	MOVUPD   X4, (DI)
	MOVUPD   X5, 16(DI)
	RET

// func dot4Lanes(lanes *[8]float32, x, p, q, r, s *float32, n int)
TEXT ·dot4Lanes(SB), NOSPLIT, $0-56
	MOVQ  lanes+0(FP), DI
	MOVQ  x+8(FP), SI
	MOVQ  p+16(FP), R8
	MOVQ  q+24(FP), R9
	MOVQ  r+32(FP), R10
	MOVQ  s+40(FP), R11
	MOVQ  n+48(FP), CX
	SHLQ  $2, CX
	XORQ  AX, AX
	XORPS X8, X8 // lanes of p and q
	XORPS X9, X9 // lanes of r and s

dot4:
	MOVUPS   (SI)(AX*1), X0
	MOVAPS   X0, X1
	MOVLHPS  X0, X0 // x0 x1 x0 x1
	UNPCKHPD X1, X1 // x2 x3 x2 x3
	MOVUPS   (R8)(AX*1), X2
	MOVUPS   (R9)(AX*1), X3
	MOVAPS   X2, X4
	MOVLHPS  X3, X2 // p0 p1 q0 q1
	UNPCKHPD X3, X4 // p2 p3 q2 q3
	MOVUPS   (R10)(AX*1), X5
	MOVUPS   (R11)(AX*1), X6
	MOVAPS   X5, X7
	MOVLHPS  X6, X5 // r0 r1 s0 s1
	UNPCKHPD X6, X7 // r2 r3 s2 s3
	MULPS    X0, X2
	MULPS    X1, X4
	MULPS    X0, X5
	MULPS    X1, X7
	ADDPS    X2, X8
	ADDPS    X5, X9
	ADDPS    X4, X8
	ADDPS    X7, X9
	ADDQ     $16, AX
	CMPQ     AX, CX
	JLT      dot4
	MOVUPS   X8, (DI)
	MOVUPS   X9, 16(DI)
	RET
