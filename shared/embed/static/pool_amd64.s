#include "textflag.h"

// func add4(sum, a, b, c, d *lane, n int)
//
// Instructions of SSE, which every amd64 processor has: each number is added as by add.
TEXT ·add4(SB), NOSPLIT, $0-48
	MOVQ sum+0(FP), DI
	MOVQ a+8(FP), R8
	MOVQ b+16(FP), R9
	MOVQ c+24(FP), R10
	MOVQ d+32(FP), R11
	MOVQ n+40(FP), CX
	SHLQ $6, CX // a lane has 64 bytes
	XORQ AX, AX

four:
	MOVUPS (DI)(AX*1), X0
	MOVUPS 16(DI)(AX*1), X1
	MOVUPS (R8)(AX*1), X2
	MOVUPS 16(R8)(AX*1), X3
	MOVUPS (R9)(AX*1), X4
	MOVUPS 16(R9)(AX*1), X5
	MOVUPS (R10)(AX*1), X6
	MOVUPS 16(R10)(AX*1), X7
	MOVUPS (R11)(AX*1), X8
	MOVUPS 16(R11)(AX*1), X9
	ADDPS  X2, X0
	ADDPS  X3, X1
	ADDPS  X4, X0
	ADDPS  X5, X1
	ADDPS  X6, X0
	ADDPS  X7, X1
	ADDPS  X8, X0
	ADDPS  X9, X1
	MOVUPS X0, (DI)(AX*1)
	MOVUPS X1, 16(DI)(AX*1)
	ADDQ   $32, AX
	CMPQ   AX, CX
	JLT    four
	RET
