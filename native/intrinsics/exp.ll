; e to the power of x, for x in -700..700: x is a multiple of the logarithm of 2 and a rest of at most
; half of it, for which the series up to the 13th power is exact to the last bit or two.
declare double @llvm.nearbyint.f64(double)

define double @exp(double %x) {
  %times = fmul double %x, 0x3FF71547652B82FE
  %k = call double @llvm.nearbyint.f64(double %times)
  %high = fmul double %k, 0x3FE62E42FEE00000
  %low = fmul double %k, 0x3DEA39EF35793C76
  %near = fsub double %x, %high
  %r = fsub double %near, %low
  %p12 = fmul double 0x3DE6124613A86D09, %r
  %s12 = fadd double %p12, 0x3E21EED8EFF8D898
  %p11 = fmul double %s12, %r
  %s11 = fadd double %p11, 0x3E5AE64567F544E4
  %p10 = fmul double %s11, %r
  %s10 = fadd double %p10, 0x3E927E4FB7789F5C
  %p9 = fmul double %s10, %r
  %s9 = fadd double %p9, 0x3EC71DE3A556C734
  %p8 = fmul double %s9, %r
  %s8 = fadd double %p8, 0x3EFA01A01A01A01A
  %p7 = fmul double %s8, %r
  %s7 = fadd double %p7, 0x3F2A01A01A01A01A
  %p6 = fmul double %s7, %r
  %s6 = fadd double %p6, 0x3F56C16C16C16C17
  %p5 = fmul double %s6, %r
  %s5 = fadd double %p5, 0x3F81111111111111
  %p4 = fmul double %s5, %r
  %s4 = fadd double %p4, 0x3FA5555555555555
  %p3 = fmul double %s4, %r
  %s3 = fadd double %p3, 0x3FC5555555555555
  %p2 = fmul double %s3, %r
  %s2 = fadd double %p2, 0x3FE0000000000000
  %p1 = fmul double %s2, %r
  %s1 = fadd double %p1, 0x3FF0000000000000
  %p0 = fmul double %s1, %r
  %s0 = fadd double %p0, 0x3FF0000000000000
  %whole = fptosi double %k to i64
  %biased = add i64 %whole, 1023
  %bits = shl i64 %biased, 52
  %power = bitcast i64 %bits to double
  %result = fmul double %s0, %power
  ret double %result
}
