; The 64 bits of one word plus twice those of another as 64 bytes: one vector store.
define void @native_store_bits(ptr %place, i64 %ones, i64 %twos) alwaysinline {
  %low_bits = bitcast i64 %ones to <64 x i1>
  %high_bits = bitcast i64 %twos to <64 x i1>
  %low = zext <64 x i1> %low_bits to <64 x i8>
  %high = zext <64 x i1> %high_bits to <64 x i8>
  %double = add <64 x i8> %high, %high
  %sum = add <64 x i8> %low, %double
  store <64 x i8> %sum, ptr %place, align 1
  ret void
}
