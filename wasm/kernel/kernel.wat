;; The hot loops of shared/vector and shared/embed/static, 128 bits at a time, on the
;; memory of the Go program that imports them. See README.md; what each computes, and
;; in which order, is said in Go: shared/vector/lanes.go, which has to agree to the bit.
;;
;; The memory is Go's: there is no data, no global, no table and no stack in it, and it
;; never grows here. Sizes are counted in numbers, pointers are bytes.
(module
  (import "go" "mem" (memory 1))

  ;; sum adds the lanes of a vector as (0+1)+(2+3).
  (func $sum (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; dot is the inner product of d numbers at a and at b.
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

  ;; both is the inner product of d numbers at a and at b, and that of a with itself.
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

  ;; plain reports whether a squared length is neither so small nor so large that a sum
  ;; in float32 has lost something: 2^-64 to 2^64. A NaN is not.
  (func $plain (param $s f32) (result i32)
    (i32.and (f32.ge (local.get $s) (f32.const 0x1p-64)) (f32.le (local.get $s) (f32.const 0x1p64))))

  ;; cosine is dot/√(aa·bb) within [-1, 1], a NaN where a length is not plain.
  (func $cosine (param $dot f32) (param $aa f32) (param $bb f32) (result f64)
    (select
      (f64.min (f64.const 1) (f64.max (f64.const -1) (f64.div
        (f64.promote_f32 (local.get $dot))
        (f64.sqrt (f64.mul (f64.promote_f32 (local.get $aa)) (f64.promote_f32 (local.get $bb)))))))
      (f64.const nan)
      (i32.and (call $plain (local.get $aa)) (call $plain (local.get $bb)))))

  ;; cosines sets out[i] to the cosine of row i of m and q, whose squared length is qq,
  ;; or to a NaN, and returns how many of these there are.
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

  ;; adjacent sets out[i] (float64) to the cosine of row i of m and the next one, for the
  ;; first n-1 of n rows, or to a NaN, and returns how many of these there are.
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

  ;; normalise scales each of n rows to length 1, in float64 throughout. A row without a
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

  ;; quantise writes n rows of d numbers as bytes, each row stride of them, and the largest
  ;; absolute value of each row divided by 127: what a step of its bytes is worth. Rows whose
  ;; largest value is not within 2^-100 to 2^100 become zeros. out is zeros before.
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

  ;; scores8 sets out[i] to the inner product of row i of m, stride bytes, and q, as many
  ;; numbers of 16 bits, times steps[i] and step. stride is a multiple of 16.
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

  ;; best keeps the k largest of the numbers seen so far, largest first, in best, and their
  ;; places in rows: those of the n at s are base and on. Of equal ones the first stays first.
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

  ;; add adds n vectors of as many lanes of 16 numbers to sum, one after the other. rows
  ;; is n slices of Go: 24 bytes, the first four of which say where its numbers are.
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
)
