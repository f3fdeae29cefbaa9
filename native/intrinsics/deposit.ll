; The number of the n-th set bit of a word, where the processor has BMI2.
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
declare i64 @llvm.cttz.i64(i64, i1)

define i64 @native_nth_bit(i64 %word, i64 %n) alwaysinline {
  %mark = shl i64 1, %n
  %found = call i64 @llvm.x86.bmi.pdep.64(i64 %mark, i64 %word)
  %number = call i64 @llvm.cttz.i64(i64 %found, i1 true)
  ret i64 %number
}
