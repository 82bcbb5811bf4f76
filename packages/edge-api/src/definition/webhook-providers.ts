/** Providers that sign without a shared secret and must not be given one (part A 2.8, part B 4). */
export const WEBHOOK_PROVIDERS_WITHOUT_SECRET = ['sns'] as const;
