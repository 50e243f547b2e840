;; The hot loops of shared/vector, shared/embed/static and shared/embed/encoder, 128 bits at
;; a time, on the memory of the Go program that imports them. See README.md. Each function
;; has a twin in Go, such as those in shared/vector/lanes.go, which must agree to the bit.
;;
;; The memory is Go's. So the module has no data, global, table or stack, and never grows
;; the memory. Sizes are in numbers, pointers in bytes.
(module
  (import "go" "mem" (memory 1))

  ;; sum adds the lanes of a vector as (0+1)+(2+3).
  (func $sum (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; dot returns the inner product of the d numbers at a and at b.
  (func $dot (param $a i32) (param $b i32) (param $d i32) (result f32)
    (local $end i32) (local $v v128) (local $s f32)
    (local.set $end (i32.add (local.get $a) (i32.shl (i32.and (local.get $d) (i32.const -16)) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $a) (local.get $end)))
      (local.set $v (f32x4.add (local.get $v) (f32x4.add
        (f32x4.add
          (f32x4.mul (v128.load (local.get $a)) (v128.load (local.get $b)))
          (f32x4.mul (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b))))
        (f32x4.add
          (f32x4.mul (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b)))
          (f32x4.mul (v128.load offset=48 (local.get $a)) (v128.load offset=48 (local.get $b)))))))
      (local.set $a (i32.add (local.get $a) (i32.const 64)))
      (local.set $b (i32.add (local.get $b) (i32.const 64)))
      (br $next)))
    (local.set $s (call $sum (local.get $v)))
    (local.set $end (i32.add (local.get $a) (i32.shl (i32.and (local.get $d) (i32.const 15)) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $a) (local.get $end)))
      (local.set $s (f32.add (local.get $s) (f32.mul (f32.load (local.get $a)) (f32.load (local.get $b)))))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (local.set $b (i32.add (local.get $b) (i32.const 4)))
      (br $next)))
    (local.get $s))

  ;; scores sets out[i] to the inner product of row i of m and q.
  (func (export "scores") (param $m i32) (param $q i32) (param $out i32) (param $n i32) (param $d i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $out) (local.get $end)))
      (f32.store (local.get $out) (call $dot (local.get $m) (local.get $q) (local.get $d)))
      (local.set $m (i32.add (local.get $m) (i32.shl (local.get $d) (i32.const 2))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br $next))))

  ;; both returns the inner product of the d numbers at a and at b, and of a with itself.
  (func $both (param $a i32) (param $b i32) (param $d i32) (result f32 f32)
    (local $end i32) (local $v v128) (local $w v128) (local $s f32) (local $t f32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (local.set $end (i32.add (local.get $a) (i32.shl (i32.and (local.get $d) (i32.const -16)) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $a) (local.get $end)))
      (local.set $a0 (v128.load (local.get $a)))
      (local.set $a1 (v128.load offset=16 (local.get $a)))
      (local.set $a2 (v128.load offset=32 (local.get $a)))
      (local.set $a3 (v128.load offset=48 (local.get $a)))
      (local.set $v (f32x4.add (local.get $v) (f32x4.add
        (f32x4.add
          (f32x4.mul (local.get $a0) (v128.load (local.get $b)))
          (f32x4.mul (local.get $a1) (v128.load offset=16 (local.get $b))))
        (f32x4.add
          (f32x4.mul (local.get $a2) (v128.load offset=32 (local.get $b)))
          (f32x4.mul (local.get $a3) (v128.load offset=48 (local.get $b)))))))
      (local.set $w (f32x4.add (local.get $w) (f32x4.add
        (f32x4.add (f32x4.mul (local.get $a0) (local.get $a0)) (f32x4.mul (local.get $a1) (local.get $a1)))
        (f32x4.add (f32x4.mul (local.get $a2) (local.get $a2)) (f32x4.mul (local.get $a3) (local.get $a3))))))
      (local.set $a (i32.add (local.get $a) (i32.const 64)))
      (local.set $b (i32.add (local.get $b) (i32.const 64)))
      (br $next)))
    (local.set $s (call $sum (local.get $v)))
    (local.set $t (call $sum (local.get $w)))
    (local.set $end (i32.add (local.get $a) (i32.shl (i32.and (local.get $d) (i32.const 15)) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $a) (local.get $end)))
      (local.set $s (f32.add (local.get $s) (f32.mul (f32.load (local.get $a)) (f32.load (local.get $b)))))
      (local.set $t (f32.add (local.get $t) (f32.mul (f32.load (local.get $a)) (f32.load (local.get $a)))))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (local.set $b (i32.add (local.get $b) (i32.const 4)))
      (br $next)))
    (local.get $s) (local.get $t))

  ;; plain reports whether a squared length is within 2^-64 to 2^64, where sums in float32
  ;; lose nothing to underflow or overflow. It returns 0 for a NaN.
  (func $plain (param $s f32) (result i32)
    (i32.and (f32.ge (local.get $s) (f32.const 0x1p-64)) (f32.le (local.get $s) (f32.const 0x1p64))))

  ;; cosine returns dot/√(aa·bb) within [-1, 1], or a NaN if a length is not plain.
  (func $cosine (param $dot f32) (param $aa f32) (param $bb f32) (result f64)
    (select
      (f64.min (f64.const 1) (f64.max (f64.const -1) (f64.div
        (f64.promote_f32 (local.get $dot))
        (f64.sqrt (f64.mul (f64.promote_f32 (local.get $aa)) (f64.promote_f32 (local.get $bb)))))))
      (f64.const nan)
      (i32.and (call $plain (local.get $aa)) (call $plain (local.get $bb)))))

  ;; cosines sets out[i] to the cosine of row i of m and q, or to a NaN, and returns the
  ;; number of NaNs. qq is the squared length of q.
  (func (export "cosines") (param $m i32) (param $q i32) (param $out i32) (param $n i32) (param $d i32) (param $qq f32) (result i32)
    (local $end i32) (local $s f32) (local $t f32) (local $c f32) (local $bad i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $out) (local.get $end)))
      (call $both (local.get $m) (local.get $q) (local.get $d))
      (local.set $t) (local.set $s)
      (f32.store (local.get $out) (local.tee $c (f32.demote_f64 (call $cosine (local.get $s) (local.get $t) (local.get $qq)))))
      (local.set $bad (i32.add (local.get $bad) (f32.ne (local.get $c) (local.get $c))))
      (local.set $m (i32.add (local.get $m) (i32.shl (local.get $d) (i32.const 2))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br $next)))
    (local.get $bad))

  ;; adjacent sets out[i] (float64) to the cosine of row i of m and the next row, or to a
  ;; NaN, for the first n-1 of n rows. It returns the number of NaNs.
  (func (export "adjacent") (param $m i32) (param $out i32) (param $n i32) (param $d i32) (result i32)
    (local $end i32) (local $row i32) (local $s f32) (local $aa f32) (local $bb f32) (local $c f64) (local $bad i32)
    (local.set $row (i32.shl (local.get $d) (i32.const 2)))
    (local.set $end (i32.add (local.get $out) (i32.shl (i32.sub (local.get $n) (i32.const 1)) (i32.const 3))))
    (local.set $aa (call $dot (local.get $m) (local.get $m) (local.get $d)))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $out) (local.get $end)))
      (call $both (i32.add (local.get $m) (local.get $row)) (local.get $m) (local.get $d))
      (local.set $bb) (local.set $s)
      (f64.store (local.get $out) (local.tee $c (call $cosine (local.get $s) (local.get $aa) (local.get $bb))))
      (local.set $bad (i32.add (local.get $bad) (f64.ne (local.get $c) (local.get $c))))
      (local.set $aa (local.get $bb))
      (local.set $m (i32.add (local.get $m) (local.get $row)))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))
      (br $next)))
    (local.get $bad))

  ;; normalise scales each of n rows to length 1, computed in float64. A row without a
  ;; direction (zeros, a NaN, an infinity) becomes zeros.
  (func (export "normalise") (param $m i32) (param $n i32) (param $d i32)
    (local $p i32) (local $end i32) (local $v v128) (local $w v128) (local $x v128) (local $s f64)
    (block $all (loop $row
      (br_if $all (i32.eqz (local.get $n)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      ;; the square of its length, in the order of vector.Dot
      (local.set $p (local.get $m))
      (local.set $end (i32.add (local.get $p) (i32.shl (i32.and (local.get $d) (i32.const -4)) (i32.const 2))))
      (local.set $v (v128.const i64x2 0 0))
      (local.set $w (v128.const i64x2 0 0))
      (block $done (loop $next
        (br_if $done (i32.eq (local.get $p) (local.get $end)))
        (local.set $x (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $p))))
        (local.set $v (f64x2.add (local.get $v) (f64x2.mul (local.get $x) (local.get $x))))
        (local.set $x (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $p))))
        (local.set $w (f64x2.add (local.get $w) (f64x2.mul (local.get $x) (local.get $x))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br $next)))
      (local.set $s (f64.add
        (f64.add (f64x2.extract_lane 0 (local.get $v)) (f64x2.extract_lane 1 (local.get $v)))
        (f64.add (f64x2.extract_lane 0 (local.get $w)) (f64x2.extract_lane 1 (local.get $w)))))
      (local.set $end (i32.add (local.get $m) (i32.shl (local.get $d) (i32.const 2))))
      (block $done (loop $next
        (br_if $done (i32.eq (local.get $p) (local.get $end)))
        (local.set $x (f64x2.promote_low_f32x4 (v128.load32_zero (local.get $p))))
        (local.set $s (f64.add (local.get $s) (f64x2.extract_lane 0 (f64x2.mul (local.get $x) (local.get $x)))))
        (local.set $p (i32.add (local.get $p) (i32.const 4)))
        (br $next)))
      (if (i32.and (f64.gt (local.get $s) (f64.const 0)) (f64.lt (local.get $s) (f64.const inf)))
        (then
          (local.set $s (f64.sqrt (local.get $s)))
          (local.set $w (f64x2.splat (local.get $s)))
          (local.set $end (i32.add (local.get $m) (i32.shl (i32.and (local.get $d) (i32.const -2)) (i32.const 2))))
          (block $done (loop $next
            (br_if $done (i32.eq (local.get $m) (local.get $end)))
            (v128.store64_lane 0 (local.get $m) (f32x4.demote_f64x2_zero
              (f64x2.div (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $m))) (local.get $w))))
            (local.set $m (i32.add (local.get $m) (i32.const 8)))
            (br $next)))
          (if (i32.and (local.get $d) (i32.const 1))
            (then
              (f32.store (local.get $m) (f32.demote_f64 (f64.div (f64.promote_f32 (f32.load (local.get $m))) (local.get $s))))
              (local.set $m (i32.add (local.get $m) (i32.const 4))))))
        (else
          (memory.fill (local.get $m) (i32.const 0) (i32.shl (local.get $d) (i32.const 2)))
          (local.set $m (local.get $end))))
      (br $row))))

  ;; quantise writes n rows of d numbers as bytes, stride bytes per row. It sets steps[i] to
  ;; the value of one step of row i: its largest absolute value divided by 127. If that
  ;; largest value is not within 2^-100 to 2^100, the row becomes zeros. out must be zeroed.
  (func (export "quantise") (param $m i32) (param $out i32) (param $steps i32) (param $n i32) (param $d i32) (param $stride i32)
    (local $p i32) (local $o i32) (local $end i32) (local $v v128) (local $max f32) (local $f f32)
    (block $all (loop $row
      (br_if $all (i32.eqz (local.get $n)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (local.set $p (local.get $m))
      (local.set $end (i32.add (local.get $p) (i32.shl (i32.and (local.get $d) (i32.const -4)) (i32.const 2))))
      (local.set $v (v128.const i64x2 0 0))
      (block $done (loop $next
        (br_if $done (i32.eq (local.get $p) (local.get $end)))
        (local.set $v (f32x4.max (local.get $v) (f32x4.abs (v128.load (local.get $p)))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br $next)))
      (local.set $max (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
        (f32.max (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))
      (local.set $end (i32.add (local.get $m) (i32.shl (local.get $d) (i32.const 2))))
      (block $done (loop $next
        (br_if $done (i32.eq (local.get $p) (local.get $end)))
        (local.set $max (f32.max (local.get $max) (f32.abs (f32.load (local.get $p)))))
        (local.set $p (i32.add (local.get $p) (i32.const 4)))
        (br $next)))
      (if (i32.and (f32.ge (local.get $max) (f32.const 0x1p-100)) (f32.le (local.get $max) (f32.const 0x1p100)))
        (then
          (f32.store (local.get $steps) (f32.div (local.get $max) (f32.const 127)))
          (local.set $f (f32.div (f32.const 127) (local.get $max)))
          (local.set $o (local.get $out))
          (block $done (loop $next
            (br_if $done (i32.eq (local.get $m) (local.get $end)))
            (i32.store8 (local.get $o) (i32.trunc_sat_f32_s (f32.nearest (f32.mul (f32.load (local.get $m)) (local.get $f)))))
            (local.set $m (i32.add (local.get $m) (i32.const 4)))
            (local.set $o (i32.add (local.get $o) (i32.const 1)))
            (br $next))))
        (else
          (f32.store (local.get $steps) (f32.const 0))
          (local.set $m (local.get $end))))
      (local.set $out (i32.add (local.get $out) (local.get $stride)))
      (local.set $steps (i32.add (local.get $steps) (i32.const 4)))
      (br $row))))

  ;; scores8 sets out[i] to the inner product of row i of m and q, times steps[i] and step. A
  ;; row has stride bytes, q has as many 16-bit numbers. stride is a multiple of 16.
  (func (export "scores8") (param $m i32) (param $q i32) (param $steps i32) (param $out i32) (param $n i32) (param $stride i32) (param $step f32)
    (local $p i32) (local $last i32) (local $end i32) (local $v v128) (local $w v128)
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 2))))
    (block $all (loop $row
      (br_if $all (i32.eq (local.get $out) (local.get $last)))
      (local.set $p (local.get $q))
      (local.set $end (i32.add (local.get $m) (local.get $stride)))
      (local.set $v (v128.const i64x2 0 0))
      (local.set $w (v128.const i64x2 0 0))
      (block $done (loop $next
        (br_if $done (i32.eq (local.get $m) (local.get $end)))
        (local.set $v (i32x4.add (local.get $v) (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $m)) (v128.load (local.get $p)))))
        (local.set $w (i32x4.add (local.get $w) (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $m)) (v128.load offset=16 (local.get $p)))))
        (local.set $m (i32.add (local.get $m) (i32.const 16)))
        (local.set $p (i32.add (local.get $p) (i32.const 32)))
        (br $next)))
      (local.set $v (i32x4.add (local.get $v) (local.get $w)))
      (f32.store (local.get $out) (f32.mul (f32.mul
        (f32.convert_i32_s (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 1 (local.get $v)))
          (i32.add (i32x4.extract_lane 2 (local.get $v)) (i32x4.extract_lane 3 (local.get $v)))))
        (f32.load (local.get $steps))) (local.get $step)))
      (local.set $steps (i32.add (local.get $steps) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br $row))))

  ;; best keeps the k largest numbers so far in best, largest first, and their indexes in
  ;; rows. The n numbers at s have the indexes base, base+1, …. Of equal numbers, the first
  ;; stays first.
  (func (export "best") (param $s i32) (param $n i32) (param $base i32) (param $best i32) (param $rows i32) (param $k i32)
    (local $end i32) (local $at i32) (local $from i32) (local $x f32) (local $least f32)
    (local.set $end (i32.add (local.get $s) (i32.shl (local.get $n) (i32.const 2))))
    (local.set $k (i32.shl (i32.sub (local.get $k) (i32.const 1)) (i32.const 2)))
    (local.set $least (f32.load (i32.add (local.get $best) (local.get $k))))
    (block $all (loop $next
      (br_if $all (i32.eq (local.get $s) (local.get $end)))
      (if (f32.gt (local.tee $x (f32.load (local.get $s))) (local.get $least))
        (then
          (local.set $at (local.get $k))
          (block $found (loop $shift
            (br_if $found (i32.eqz (local.get $at)))
            (local.set $from (i32.sub (local.get $at) (i32.const 4)))
            (br_if $found (i32.eqz (f32.lt (f32.load (i32.add (local.get $best) (local.get $from))) (local.get $x))))
            (f32.store (i32.add (local.get $best) (local.get $at)) (f32.load (i32.add (local.get $best) (local.get $from))))
            (i32.store (i32.add (local.get $rows) (local.get $at)) (i32.load (i32.add (local.get $rows) (local.get $from))))
            (local.set $at (local.get $from))
            (br $shift)))
          (f32.store (i32.add (local.get $best) (local.get $at)) (local.get $x))
          (i32.store (i32.add (local.get $rows) (local.get $at)) (local.get $base))
          (local.set $least (f32.load (i32.add (local.get $best) (local.get $k))))))
      (local.set $base (i32.add (local.get $base) (i32.const 1)))
      (local.set $s (i32.add (local.get $s) (i32.const 4)))
      (br $next))))

  ;; add adds n vectors to sum, one after the other. Each has lanes × 16 numbers. rows has
  ;; the n vectors as Go slices: 24 bytes each, the first four of which hold the address.
  (func (export "add") (param $sum i32) (param $rows i32) (param $n i32) (param $lanes i32)
    (local $at i32) (local $row i32) (local $r i32) (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $rows) (i32.mul (local.get $n) (i32.const 24))))
    (local.set $lanes (i32.shl (local.get $lanes) (i32.const 6)))
    (block $all (loop $lane
      (br_if $all (i32.eq (local.get $at) (local.get $lanes)))
      (local.set $a (v128.load (local.get $sum)))
      (local.set $b (v128.load offset=16 (local.get $sum)))
      (local.set $c (v128.load offset=32 (local.get $sum)))
      (local.set $d (v128.load offset=48 (local.get $sum)))
      (local.set $row (local.get $rows))
      (block $done (loop $next
        (br_if $done (i32.eq (local.get $row) (local.get $end)))
        (local.set $r (i32.add (i32.load (local.get $row)) (local.get $at)))
        (local.set $a (f32x4.add (local.get $a) (v128.load (local.get $r))))
        (local.set $b (f32x4.add (local.get $b) (v128.load offset=16 (local.get $r))))
        (local.set $c (f32x4.add (local.get $c) (v128.load offset=32 (local.get $r))))
        (local.set $d (f32x4.add (local.get $d) (v128.load offset=48 (local.get $r))))
        (local.set $row (i32.add (local.get $row) (i32.const 24)))
        (br $next)))
      (v128.store (local.get $sum) (local.get $a))
      (v128.store offset=16 (local.get $sum) (local.get $b))
      (v128.store offset=32 (local.get $sum) (local.get $c))
      (v128.store offset=48 (local.get $sum) (local.get $d))
      (local.set $sum (i32.add (local.get $sum) (i32.const 64)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br $lane))))

  ;; eight adds the lanes of two vectors as the fold of shared/embed/encoder does:
  ;; ((0+4)+(2+6)) + ((1+5)+(3+7)).
  (func $eight (param $v v128) (param $w v128) (result f32)
    (local.set $v (f32x4.add (local.get $v) (local.get $w)))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 2 (local.get $v)))
      (f32.add (f32x4.extract_lane 1 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; codes writes n numbers as 16-bit integers, 4 of them every 32 bytes, and returns the
  ;; value of one step. n is a multiple of 8. See quantizeGo in shared/embed/encoder.
  (func $codes (param $x i32) (param $out i32) (param $n i32) (result f32)
    (local $p i32) (local $end i32) (local $v v128) (local $max f32)
    (local.set $p (local.get $x))
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $p) (local.get $end)))
      (local.set $v (f32x4.max (local.get $v) (f32x4.abs (v128.load (local.get $p)))))
      (local.set $p (i32.add (local.get $p) (i32.const 16)))
      (br $next)))
    (local.set $max (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.max (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))
    (if (i32.eqz (i32.and (f32.ge (local.get $max) (f32.const 0x1p-100)) (f32.le (local.get $max) (f32.const 0x1p100))))
      (then
        (block $done (loop $next
          (br_if $done (i32.eq (local.get $x) (local.get $end)))
          (i64.store (local.get $out) (i64.const 0))
          (local.set $x (i32.add (local.get $x) (i32.const 16)))
          (local.set $out (i32.add (local.get $out) (i32.const 32)))
          (br $next)))
        (return (f32.const 0))))
    (local.set $v (f32x4.splat (f32.div (f32.const 127) (local.get $max))))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $x) (local.get $end)))
      (v128.store64_lane 0 (local.get $out) (i16x8.narrow_i32x4_s
        (i32x4.sub
          (f32x4.add (f32x4.mul (v128.load (local.get $x)) (local.get $v)) (f32x4.splat (f32.const 0x1.8p23)))
          (i32x4.splat (i32.const 0x4b400000)))
        (local.get $v)))
      (local.set $x (i32.add (local.get $x) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (br $next)))
    (f32.div (local.get $max) (f32.const 127)))

  ;; codes16 calls codes for rows of k numbers that begin stride bytes apart, and stores the
  ;; values in steps. Four rows are interleaved: 4 numbers of each, then the next 4 of each.
  (func (export "codes16") (param $x i32) (param $stride i32) (param $out i32) (param $steps i32) (param $rows i32) (param $k i32)
    (local $i i32)
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $i) (local.get $rows)))
      (f32.store (local.get $steps) (call $codes
        (local.get $x)
        (i32.add (local.get $out) (i32.add
          (i32.mul (i32.shl (local.get $k) (i32.const 1)) (i32.and (local.get $i) (i32.const -4)))
          (i32.shl (i32.and (local.get $i) (i32.const 3)) (i32.const 3))))
        (local.get $k)))
      (local.set $x (i32.add (local.get $x) (local.get $stride)))
      (local.set $steps (i32.add (local.get $steps) (i32.const 4)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next))))

  ;; scaled adds pairs of sums of products of codes to 4 sums, and returns them as numbers:
  ;; times the columns' steps, times the row's step, plus the columns' bias.
  (func $scaled (param $a v128) (param $b v128) (param $steps v128) (param $step v128) (param $bias v128) (result v128)
    (f32x4.add
      (f32x4.mul
        (f32x4.mul
          (f32x4.convert_i32x4_s (i32x4.add
            (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $a) (local.get $b))
            (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $a) (local.get $b))))
          (local.get $steps))
        (local.get $step))
      (local.get $bias)))

  ;; strip8 sets 4 rows of 32 numbers of a product of bytes, see tile8Go in
  ;; shared/embed/encoder. a is the output of codes16; rows begin c bytes apart.
  (func $strip8 (param $out i32) (param $c i32) (param $a i32) (param $rowSteps i32) (param $panel i32) (param $steps i32) (param $bias i32) (param $k i32)
    (local $p i32) (local $q i32) (local $last i32) (local $end i32) (local $x v128) (local $y v128) (local $r v128)
    (local $s0 v128) (local $t0 v128) (local $s1 v128) (local $t1 v128) (local $s2 v128) (local $t2 v128) (local $s3 v128) (local $t3 v128)
    (local.set $last (i32.add (local.get $panel) (i32.const 128)))
    (local.set $end (i32.add (local.get $a) (i32.shl (local.get $k) (i32.const 3))))
    (loop $columns
      (local.set $p (local.get $panel))
      (local.set $q (local.get $a))
      (local.set $s0 (v128.const i64x2 0 0))
      (local.set $t0 (v128.const i64x2 0 0))
      (local.set $s1 (v128.const i64x2 0 0))
      (local.set $t1 (v128.const i64x2 0 0))
      (local.set $s2 (v128.const i64x2 0 0))
      (local.set $t2 (v128.const i64x2 0 0))
      (local.set $s3 (v128.const i64x2 0 0))
      (local.set $t3 (v128.const i64x2 0 0))
      (loop $next
        (local.set $x (v128.load8x8_s (local.get $p)))
        (local.set $y (v128.load8x8_s offset=8 (local.get $p)))
        (local.set $r (v128.load64_splat (local.get $q)))
        (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t0 (i32x4.add (local.get $t0) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $r (v128.load64_splat offset=8 (local.get $q)))
        (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t1 (i32x4.add (local.get $t1) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $r (v128.load64_splat offset=16 (local.get $q)))
        (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t2 (i32x4.add (local.get $t2) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $r (v128.load64_splat offset=24 (local.get $q)))
        (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t3 (i32x4.add (local.get $t3) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $x (v128.load8x8_s offset=128 (local.get $p)))
        (local.set $y (v128.load8x8_s offset=136 (local.get $p)))
        (local.set $r (v128.load64_splat offset=32 (local.get $q)))
        (local.set $s0 (i32x4.add (local.get $s0) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t0 (i32x4.add (local.get $t0) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $r (v128.load64_splat offset=40 (local.get $q)))
        (local.set $s1 (i32x4.add (local.get $s1) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t1 (i32x4.add (local.get $t1) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $r (v128.load64_splat offset=48 (local.get $q)))
        (local.set $s2 (i32x4.add (local.get $s2) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t2 (i32x4.add (local.get $t2) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $r (v128.load64_splat offset=56 (local.get $q)))
        (local.set $s3 (i32x4.add (local.get $s3) (i32x4.dot_i16x8_s (local.get $x) (local.get $r))))
        (local.set $t3 (i32x4.add (local.get $t3) (i32x4.dot_i16x8_s (local.get $y) (local.get $r))))
        (local.set $p (i32.add (local.get $p) (i32.const 256)))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (br_if $next (i32.ne (local.get $q) (local.get $end))))
      (local.set $x (v128.load (local.get $steps)))
      (local.set $y (v128.load (local.get $bias)))
      (local.set $q (local.get $out))
      (v128.store (local.get $q) (call $scaled (local.get $s0) (local.get $t0) (local.get $x) (v128.load32_splat (local.get $rowSteps)) (local.get $y)))
      (local.set $q (i32.add (local.get $q) (local.get $c)))
      (v128.store (local.get $q) (call $scaled (local.get $s1) (local.get $t1) (local.get $x) (v128.load32_splat offset=4 (local.get $rowSteps)) (local.get $y)))
      (local.set $q (i32.add (local.get $q) (local.get $c)))
      (v128.store (local.get $q) (call $scaled (local.get $s2) (local.get $t2) (local.get $x) (v128.load32_splat offset=8 (local.get $rowSteps)) (local.get $y)))
      (local.set $q (i32.add (local.get $q) (local.get $c)))
      (v128.store (local.get $q) (call $scaled (local.get $s3) (local.get $t3) (local.get $x) (v128.load32_splat offset=12 (local.get $rowSteps)) (local.get $y)))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $steps (i32.add (local.get $steps) (i32.const 16)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 16)))
      (local.set $panel (i32.add (local.get $panel) (i32.const 16)))
      (br_if $columns (i32.ne (local.get $panel) (local.get $last)))))

  ;; product8 sets rows of n numbers, stride bytes apart, to the rows of a product of bytes,
  ;; see linear8 in shared/embed/encoder. rows is a multiple of 4, n of 32, k of 8.
  (func (export "product8") (param $out i32) (param $stride i32) (param $a i32) (param $rowSteps i32) (param $panels i32) (param $steps i32) (param $bias i32) (param $rows i32) (param $k i32) (param $n i32)
    (local $i i32) (local $end i32)
    (local.set $end (i32.add (local.get $steps) (i32.shl (local.get $n) (i32.const 2))))
    (loop $panel
      (local.set $i (i32.const 0))
      (loop $row
        (call $strip8
          (i32.add (local.get $out) (i32.mul (local.get $i) (local.get $stride)))
          (local.get $stride)
          (i32.add (local.get $a) (i32.mul (i32.shl (local.get $k) (i32.const 1)) (local.get $i)))
          (i32.add (local.get $rowSteps) (i32.shl (local.get $i) (i32.const 2)))
          (local.get $panels) (local.get $steps) (local.get $bias) (local.get $k))
        (br_if $row (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $rows))))
      (local.set $out (i32.add (local.get $out) (i32.const 128)))
      (local.set $panels (i32.add (local.get $panels) (i32.shl (local.get $k) (i32.const 5))))
      (local.set $bias (i32.add (local.get $bias) (i32.const 128)))
      (br_if $panel (i32.ne (local.tee $steps (i32.add (local.get $steps) (i32.const 128))) (local.get $end)))))

  ;; strip sets 4 rows of 32 numbers of a product: see tileGo in shared/embed/encoder.
  (func $strip (param $out i32) (param $c i32) (param $a i32) (param $stride i32) (param $panel i32) (param $bias i32) (param $k i32)
    (local $p i32) (local $a1 i32) (local $a2 i32) (local $a3 i32) (local $q i32) (local $last i32) (local $end i32)
    (local $x v128) (local $y v128) (local $r v128)
    (local $s0 v128) (local $t0 v128) (local $s1 v128) (local $t1 v128) (local $s2 v128) (local $t2 v128) (local $s3 v128) (local $t3 v128)
    (local.set $last (i32.add (local.get $panel) (i32.const 128)))
    (local.set $a1 (i32.add (local.get $a) (local.get $stride)))
    (local.set $a2 (i32.add (local.get $a1) (local.get $stride)))
    (local.set $a3 (i32.add (local.get $a2) (local.get $stride)))
    (loop $columns
      (local.set $p (local.get $panel))
      (local.set $q (i32.const 0))
      (local.set $s0 (v128.const i64x2 0 0))
      (local.set $t0 (v128.const i64x2 0 0))
      (local.set $s1 (v128.const i64x2 0 0))
      (local.set $t1 (v128.const i64x2 0 0))
      (local.set $s2 (v128.const i64x2 0 0))
      (local.set $t2 (v128.const i64x2 0 0))
      (local.set $s3 (v128.const i64x2 0 0))
      (local.set $t3 (v128.const i64x2 0 0))
      (loop $next
        (local.set $x (v128.load (local.get $p)))
        (local.set $y (v128.load offset=16 (local.get $p)))
        (local.set $r (v128.load32_splat (i32.add (local.get $a) (local.get $q))))
        (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $x) (local.get $r))))
        (local.set $t0 (f32x4.add (local.get $t0) (f32x4.mul (local.get $y) (local.get $r))))
        (local.set $r (v128.load32_splat (i32.add (local.get $a1) (local.get $q))))
        (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $x) (local.get $r))))
        (local.set $t1 (f32x4.add (local.get $t1) (f32x4.mul (local.get $y) (local.get $r))))
        (local.set $r (v128.load32_splat (i32.add (local.get $a2) (local.get $q))))
        (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $x) (local.get $r))))
        (local.set $t2 (f32x4.add (local.get $t2) (f32x4.mul (local.get $y) (local.get $r))))
        (local.set $r (v128.load32_splat (i32.add (local.get $a3) (local.get $q))))
        (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $x) (local.get $r))))
        (local.set $t3 (f32x4.add (local.get $t3) (f32x4.mul (local.get $y) (local.get $r))))
        (local.set $p (i32.add (local.get $p) (i32.const 128)))
        (br_if $next (i32.ne (local.tee $q (i32.add (local.get $q) (i32.const 4))) (local.get $k))))
      (local.set $x (v128.load (local.get $bias)))
      (local.set $y (v128.load offset=16 (local.get $bias)))
      (local.set $q (local.get $out))
      (v128.store (local.get $q) (f32x4.add (local.get $s0) (local.get $x)))
      (v128.store offset=16 (local.get $q) (f32x4.add (local.get $t0) (local.get $y)))
      (local.set $q (i32.add (local.get $q) (local.get $c)))
      (v128.store (local.get $q) (f32x4.add (local.get $s1) (local.get $x)))
      (v128.store offset=16 (local.get $q) (f32x4.add (local.get $t1) (local.get $y)))
      (local.set $q (i32.add (local.get $q) (local.get $c)))
      (v128.store (local.get $q) (f32x4.add (local.get $s2) (local.get $x)))
      (v128.store offset=16 (local.get $q) (f32x4.add (local.get $t2) (local.get $y)))
      (local.set $q (i32.add (local.get $q) (local.get $c)))
      (v128.store (local.get $q) (f32x4.add (local.get $s3) (local.get $x)))
      (v128.store offset=16 (local.get $q) (f32x4.add (local.get $t3) (local.get $y)))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 32)))
      (local.set $panel (i32.add (local.get $panel) (i32.const 32)))
      (br_if $columns (i32.ne (local.get $panel) (local.get $last)))))

  ;; product sets rows of n numbers, c bytes apart, to the rows of a times the panels, plus
  ;; the bias. Rows of a have k numbers and begin stride bytes apart. rows is a multiple of
  ;; 4, n of 32.
  (func (export "product") (param $out i32) (param $c i32) (param $a i32) (param $stride i32) (param $panels i32) (param $bias i32) (param $rows i32) (param $k i32) (param $n i32)
    (local $i i32) (local $end i32)
    (local.set $end (i32.add (local.get $bias) (i32.shl (local.get $n) (i32.const 2))))
    (local.set $k (i32.shl (local.get $k) (i32.const 2)))
    (loop $panel
      (local.set $i (i32.const 0))
      (loop $row
        (call $strip
          (i32.add (local.get $out) (i32.mul (local.get $i) (local.get $c)))
          (local.get $c)
          (i32.add (local.get $a) (i32.mul (local.get $i) (local.get $stride)))
          (local.get $stride) (local.get $panels) (local.get $bias) (local.get $k))
        (br_if $row (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $rows))))
      (local.set $out (i32.add (local.get $out) (i32.const 128)))
      (local.set $panels (i32.add (local.get $panels) (i32.shl (local.get $k) (i32.const 5))))
      (br_if $panel (i32.ne (local.tee $bias (i32.add (local.get $bias) (i32.const 128))) (local.get $end)))))

  ;; layernorm sets the n numbers at x to the LayerNorm of x + y: see normalizeGo in
  ;; shared/embed/encoder. n is a multiple of 8 and at least 8.
  (func (export "layernorm") (param $x i32) (param $y i32) (param $weight i32) (param $bias i32) (param $n i32) (param $epsilon f32)
    (local $p i32) (local $end i32) (local $v v128) (local $w v128) (local $a v128) (local $b v128) (local $m v128) (local $count f32)
    (local.set $count (f32.convert_i32_s (local.get $n)))
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 2))))
    (local.set $p (local.get $x))
    (loop $next
      (v128.store (local.get $p) (local.tee $a (f32x4.add (v128.load (local.get $p)) (v128.load (local.get $y)))))
      (v128.store offset=16 (local.get $p) (local.tee $b (f32x4.add (v128.load offset=16 (local.get $p)) (v128.load offset=16 (local.get $y)))))
      (local.set $v (f32x4.add (local.get $v) (local.get $a)))
      (local.set $w (f32x4.add (local.get $w) (local.get $b)))
      (local.set $y (i32.add (local.get $y) (i32.const 32)))
      (br_if $next (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 32))) (local.get $end))))
    (local.set $m (f32x4.splat (f32.div (call $eight (local.get $v) (local.get $w)) (local.get $count))))
    (local.set $v (v128.const i64x2 0 0))
    (local.set $w (v128.const i64x2 0 0))
    (local.set $p (local.get $x))
    (loop $next
      (v128.store (local.get $p) (local.tee $a (f32x4.sub (v128.load (local.get $p)) (local.get $m))))
      (v128.store offset=16 (local.get $p) (local.tee $b (f32x4.sub (v128.load offset=16 (local.get $p)) (local.get $m))))
      (local.set $v (f32x4.add (local.get $v) (f32x4.mul (local.get $a) (local.get $a))))
      (local.set $w (f32x4.add (local.get $w) (f32x4.mul (local.get $b) (local.get $b))))
      (br_if $next (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 32))) (local.get $end))))
    (local.set $m (f32x4.splat (f32.div (f32.const 1) (f32.sqrt
      (f32.add (f32.div (call $eight (local.get $v) (local.get $w)) (local.get $count)) (local.get $epsilon))))))
    (loop $next
      (v128.store (local.get $x) (f32x4.add
        (f32x4.mul (f32x4.mul (v128.load (local.get $x)) (local.get $m)) (v128.load (local.get $weight)))
        (v128.load (local.get $bias))))
      (local.set $weight (i32.add (local.get $weight) (i32.const 16)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 16)))
      (br_if $next (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; exp computes the exponentials of four numbers as shared/embed/encoder does.
  (func $exp (param $x v128) (result v128)
    (local $t v128) (local $n v128) (local $r v128) (local $p v128)
    (local.set $t (f32x4.add (f32x4.mul (local.get $x) (f32x4.splat (f32.const 1.44269504089))) (f32x4.splat (f32.const 0x1.8p23))))
    (local.set $n (f32x4.sub (local.get $t) (f32x4.splat (f32.const 0x1.8p23))))
    (local.set $r (f32x4.sub
      (f32x4.sub (local.get $x) (f32x4.mul (local.get $n) (f32x4.splat (f32.const 0.693359375))))
      (f32x4.mul (local.get $n) (f32x4.splat (f32.const -2.12194440e-4)))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $r) (f32x4.splat (f32.const 1.9875691500e-4))) (f32x4.splat (f32.const 1.3981999507e-3))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 8.3334519073e-3))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 4.1665795894e-2))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 1.6666665459e-1))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $r)) (f32x4.splat (f32.const 5.0000001201e-1))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (f32x4.mul (local.get $r) (local.get $r))) (local.get $r)))
    (v128.and
      (i32x4.add (f32x4.add (local.get $p) (f32x4.splat (f32.const 1))) (i32x4.shl (local.get $t) (i32.const 23)))
      (f32x4.ge (local.get $x) (f32x4.splat (f32.const -87)))))

  ;; softmax sets each of the n numbers at x to the exponential of the number minus the
  ;; largest one, and returns their sum. n is a multiple of 8 and at least 8.
  (func (export "softmax") (param $x i32) (param $n i32) (result f32)
    (local $p i32) (local $end i32) (local $m v128) (local $v v128) (local $w v128) (local $a v128)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 2))))
    (local.set $p (local.get $x))
    (local.set $m (f32x4.splat (f32.const -inf)))
    (loop $next
      (local.set $m (f32x4.pmax (local.get $m) (v128.load (local.get $p))))
      (br_if $next (i32.ne (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
    (local.set $m (f32x4.splat (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $m)) (f32x4.extract_lane 1 (local.get $m)))
      (f32.max (f32x4.extract_lane 2 (local.get $m)) (f32x4.extract_lane 3 (local.get $m))))))
    (loop $next
      (v128.store (local.get $x) (local.tee $a (call $exp (f32x4.sub (v128.load (local.get $x)) (local.get $m)))))
      (local.set $v (f32x4.add (local.get $v) (local.get $a)))
      (v128.store offset=16 (local.get $x) (local.tee $a (call $exp (f32x4.sub (v128.load offset=16 (local.get $x)) (local.get $m)))))
      (local.set $w (f32x4.add (local.get $w) (local.get $a)))
      (br_if $next (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 32))) (local.get $end))))
    (call $eight (local.get $v) (local.get $w)))

  ;; gelu sets each of the n numbers at x to x·Φ(x): see geluGo in shared/embed/encoder. n is
  ;; a multiple of 4 and at least 4.
  (func (export "gelu") (param $x i32) (param $n i32)
    (local $end i32) (local $v v128) (local $t v128) (local $s v128) (local $p v128) (local $q v128)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $n) (i32.const 2))))
    (loop $next
      (local.set $v (v128.load (local.get $x)))
      (local.set $t (f32x4.min
        (f32x4.max (f32x4.mul (local.get $v) (f32x4.splat (f32.const 0.70710678118654752440))) (f32x4.splat (f32.const -4)))
        (f32x4.splat (f32.const 4))))
      (local.set $s (f32x4.mul (local.get $t) (local.get $t)))
      (local.set $p (f32x4.add (f32x4.mul (local.get $s) (f32x4.splat (f32.const -2.72614225801306e-10))) (f32x4.splat (f32.const 2.77068142495902e-08))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -2.10102402082508e-06))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -5.69250639462346e-05))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -7.34990630326855e-04))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -2.95459980854025e-03))))
      (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.splat (f32.const -1.60960333262415e-02))))
      (local.set $q (f32x4.add (f32x4.mul (local.get $s) (f32x4.splat (f32.const -1.45660718464996e-05))) (f32x4.splat (f32.const -2.13374055278905e-04))))
      (local.set $q (f32x4.add (f32x4.mul (local.get $q) (local.get $s)) (f32x4.splat (f32.const -1.68282697438203e-03))))
      (local.set $q (f32x4.add (f32x4.mul (local.get $q) (local.get $s)) (f32x4.splat (f32.const -7.37332916720468e-03))))
      (local.set $q (f32x4.add (f32x4.mul (local.get $q) (local.get $s)) (f32x4.splat (f32.const -1.42647390514189e-02))))
      (v128.store (local.get $x) (f32x4.mul
        (f32x4.mul (local.get $v) (f32x4.splat (f32.const 0.5)))
        (f32x4.add (f32x4.splat (f32.const 1)) (f32x4.div (f32x4.mul (local.get $t) (local.get $p)) (local.get $q)))))
      (br_if $next (i32.ne (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end)))))

  ;; high returns numbers 2 and 3 of a vector as float64.
  (func $high (param $v v128) (result v128)
    (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $v) (local.get $v))))

  ;; dotlanes writes the four sums of dotGo in shared/vector: lane i is the sum of products i,
  ;; i+4, … of the n numbers at a and at b. n is a multiple of 4 and at least 4.
  (func (export "dotlanes") (param $lanes i32) (param $a i32) (param $b i32) (param $n i32)
    (local $end i32) (local $x v128) (local $y v128) (local $s v128) (local $t v128)
    (local.set $end (i32.add (local.get $a) (i32.shl (local.get $n) (i32.const 2))))
    (loop $next
      (local.set $x (v128.load (local.get $a)))
      (local.set $y (v128.load (local.get $b)))
      (local.set $s (f64x2.add (local.get $s) (f64x2.mul (f64x2.promote_low_f32x4 (local.get $x)) (f64x2.promote_low_f32x4 (local.get $y)))))
      (local.set $t (f64x2.add (local.get $t) (f64x2.mul (call $high (local.get $x)) (call $high (local.get $y)))))
      (local.set $b (i32.add (local.get $b) (i32.const 16)))
      (br_if $next (i32.ne (local.tee $a (i32.add (local.get $a) (i32.const 16))) (local.get $end))))
    (v128.store (local.get $lanes) (local.get $s))
    (v128.store offset=16 (local.get $lanes) (local.get $t)))

  ;; dot4lanes writes the sums of dot4Go in shared/vector: two sums each of the products of
  ;; the n numbers at x with the numbers at p, q, r and s. n is a multiple of 4 and at least 4.
  (func (export "dot4lanes") (param $lanes i32) (param $x i32) (param $p i32) (param $q i32) (param $r i32) (param $s i32) (param $n i32)
    (local $at i32) (local $v v128) (local $even v128) (local $odd v128) (local $a v128) (local $b v128) (local $pq v128) (local $rs v128)
    (local.set $n (i32.shl (local.get $n) (i32.const 2)))
    (loop $next
      (local.set $v (v128.load (i32.add (local.get $x) (local.get $at))))
      (local.set $even (i8x16.shuffle 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 (local.get $v) (local.get $v)))
      (local.set $odd (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $v) (local.get $v)))
      (local.set $a (v128.load (i32.add (local.get $p) (local.get $at))))
      (local.set $b (v128.load (i32.add (local.get $q) (local.get $at))))
      (local.set $pq (f32x4.add (local.get $pq) (f32x4.mul (local.get $even)
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b)))))
      (local.set $pq (f32x4.add (local.get $pq) (f32x4.mul (local.get $odd)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b)))))
      (local.set $a (v128.load (i32.add (local.get $r) (local.get $at))))
      (local.set $b (v128.load (i32.add (local.get $s) (local.get $at))))
      (local.set $rs (f32x4.add (local.get $rs) (f32x4.mul (local.get $even)
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $b)))))
      (local.set $rs (f32x4.add (local.get $rs) (f32x4.mul (local.get $odd)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $b)))))
      (br_if $next (i32.ne (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $n))))
    (v128.store (local.get $lanes) (local.get $pq))
    (v128.store offset=16 (local.get $lanes) (local.get $rs)))

  ;; addrows adds n rows of d numbers at m to the d float64 numbers at sum, one row after the
  ;; other.
  (func (export "addrows") (param $sum i32) (param $m i32) (param $n i32) (param $d i32)
    (local $row i32) (local $end i32) (local $stride i32) (local $left i32)
    (local $x v128) (local $y v128) (local $a v128) (local $b v128) (local $c v128) (local $e v128) (local $one f64)
    (local.set $stride (i32.shl (local.get $d) (i32.const 2)))
    (local.set $end (i32.add (local.get $m) (i32.mul (local.get $n) (local.get $stride))))
    (local.set $left (local.get $d))
    (block $eights (loop $eight
      (br_if $eights (i32.lt_u (local.get $left) (i32.const 8)))
      (local.set $a (v128.load (local.get $sum)))
      (local.set $b (v128.load offset=16 (local.get $sum)))
      (local.set $c (v128.load offset=32 (local.get $sum)))
      (local.set $e (v128.load offset=48 (local.get $sum)))
      (local.set $row (local.get $m))
      (block $done (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
        (local.set $x (v128.load (local.get $row)))
        (local.set $y (v128.load offset=16 (local.get $row)))
        (local.set $a (f64x2.add (local.get $a) (f64x2.promote_low_f32x4 (local.get $x))))
        (local.set $b (f64x2.add (local.get $b) (call $high (local.get $x))))
        (local.set $c (f64x2.add (local.get $c) (f64x2.promote_low_f32x4 (local.get $y))))
        (local.set $e (f64x2.add (local.get $e) (call $high (local.get $y))))
        (local.set $row (i32.add (local.get $row) (local.get $stride)))
        (br $next)))
      (v128.store (local.get $sum) (local.get $a))
      (v128.store offset=16 (local.get $sum) (local.get $b))
      (v128.store offset=32 (local.get $sum) (local.get $c))
      (v128.store offset=48 (local.get $sum) (local.get $e))
      (local.set $sum (i32.add (local.get $sum) (i32.const 64)))
      (local.set $m (i32.add (local.get $m) (i32.const 32)))
      (local.set $left (i32.sub (local.get $left) (i32.const 8)))
      (br $eight)))
    (block $ones (loop $each
      (br_if $ones (i32.eqz (local.get $left)))
      (local.set $one (f64.load (local.get $sum)))
      (local.set $row (local.get $m))
      (block $done (loop $next
        (br_if $done (i32.ge_u (local.get $row) (local.get $end)))
        (local.set $one (f64.add (local.get $one) (f64.promote_f32 (f32.load (local.get $row)))))
        (local.set $row (i32.add (local.get $row) (local.get $stride)))
        (br $next)))
      (f64.store (local.get $sum) (local.get $one))
      (local.set $sum (i32.add (local.get $sum) (i32.const 8)))
      (local.set $m (i32.add (local.get $m) (i32.const 4)))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br $each))))
)
