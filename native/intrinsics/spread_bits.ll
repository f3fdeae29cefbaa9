; The 64 bits of one word plus twice those of another as 64 bytes, eight at a time: a byte is
; repeated in a word, one bit of it is left in each place, and a carry makes that bit a 1.
define internal i64 @native_spread(i64 %word, i64 %shift) alwaysinline {
  %moved = lshr i64 %word, %shift
  %byte = and i64 %moved, 255
  %repeated = mul i64 %byte, 72340172838076673
  %apart = and i64 %repeated, -9205322385119247871
  %carried = add i64 %apart, 9187201950435737471
  %down = lshr i64 %carried, 7
  %bits = and i64 %down, 72340172838076673
  ret i64 %bits
}

define void @native_store_bits(ptr %place, i64 %ones, i64 %twos) alwaysinline {
start:
  br label %each
each:
  %k = phi i64 [ 0, %start ], [ %next, %each ]
  %shift = shl i64 %k, 3
  %low = call i64 @native_spread(i64 %ones, i64 %shift)
  %high = call i64 @native_spread(i64 %twos, i64 %shift)
  %double = add i64 %high, %high
  %sum = add i64 %low, %double
  %at = getelementptr i8, ptr %place, i64 %shift
  store i64 %sum, ptr %at, align 1
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, 8
  br i1 %done, label %end, label %each
end:
  ret void
}
