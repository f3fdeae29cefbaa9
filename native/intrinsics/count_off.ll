; The number of the n-th set bit of a word: the lowest bit is dropped n times.
declare i64 @llvm.cttz.i64(i64, i1)

define i64 @native_nth_bit(i64 %word, i64 %n) alwaysinline {
start:
  br label %check
check:
  %left = phi i64 [ %word, %start ], [ %rest, %drop ]
  %count = phi i64 [ 0, %start ], [ %next, %drop ]
  %found = icmp sge i64 %count, %n
  br i1 %found, label %end, label %drop
drop:
  %below = sub i64 %left, 1
  %rest = and i64 %left, %below
  %next = add i64 %count, 1
  br label %check
end:
  %number = call i64 @llvm.cttz.i64(i64 %left, i1 true)
  ret i64 %number
}
