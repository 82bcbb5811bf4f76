import type { CarrierSettings } from '@tollgate/policy';

/** Returns how to find the policies in a file. The reader of Markdown is loaded on demand. */
export type CarrierSettingsOf = (path: string) => Promise<CarrierSettings>;
