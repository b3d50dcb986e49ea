// Limits of the KYC levels, in minor units.
export interface KycLimits {
  maxBalance: number;
  /** For outgoing payments. */
  dailyLimit: number;
}

export const KYC_LIMITS: Readonly<Record<number, KycLimits>> = {
  1: { maxBalance: 500_000_00, dailyLimit: 100_000_00 },
  2: { maxBalance: 2_000_000_00, dailyLimit: 500_000_00 },
  3: { maxBalance: 10_000_000_00, dailyLimit: 2_000_000_00 },
};

export function kycLimits(level: number): KycLimits {
  const limits = KYC_LIMITS[level];
  if (!limits) throw new Error(`unknown KYC level: ${level}`);
  return limits;
}
