// The KYC levels: how much a wallet may hold and how much may leave it in a day, in minor units.
export interface KycLimits {
  maxBalance: number;
  dailyLimit: number;
}

export const KYC_LIMITS: Readonly<Record<number, KycLimits>> = {
  1: { maxBalance: 500_000_00, dailyLimit: 100_000_00 },
  2: { maxBalance: 2_000_000_00, dailyLimit: 500_000_00 },
  3: { maxBalance: 10_000_000_00, dailyLimit: 2_000_000_00 },
};

export function kycLimits(level: number): KycLimits {
  const limits = KYC_LIMITS[level];
  if (!limits) throw new Error(`there is no KYC level ${level}`);
  return limits;
}
