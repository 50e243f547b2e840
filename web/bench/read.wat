;; Reads n numbers at a and does nothing with them: what a search cannot be faster than.
(module
  (import "go" "mem" (memory 1))
  (func (export "read") (param $a i32) (param $n i32) (result i32)
    (local $end i32) (local $v v128) (local $w v128) (local $x v128) (local $y v128)
    (local.set $end (i32.add (local.get $a) (i32.shl (local.get $n) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $a) (local.get $end)))
      (local.set $v (v128.xor (local.get $v) (v128.load (local.get $a))))
      (local.set $w (v128.xor (local.get $w) (v128.load offset=16 (local.get $a))))
      (local.set $x (v128.xor (local.get $x) (v128.load offset=32 (local.get $a))))
      (local.set $y (v128.xor (local.get $y) (v128.load offset=48 (local.get $a))))
      (local.set $a (i32.add (local.get $a) (i32.const 64)))
      (br $next)))
    (i32x4.extract_lane 0 (v128.xor (v128.xor (local.get $v) (local.get $w)) (v128.xor (local.get $x) (local.get $y))))))
