import { ExternalError } from '@tollgate/diagnostics';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a date, or an age such as `7d`, to ms since 1970-01-01T00:00:00Z. @throws ExternalError */
export function parseSince(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = AGE.exec(text) ?? [];
  const time = unit === '' ? Date.parse(text) : now - Number(count) * UNITS[unit]!;
  if (!Number.isNaN(time)) return time;
  throw new ExternalError('usage/since', `\`--since\` expects a date or an age such as \`7d\`, found \`${text}\``);
}

const AGE = /^([1-9]\d{0,5})([mhd])$/;

/** Parses a date, or a duration from now such as `90d`, to ms since 1970-01-01T00:00:00Z. @throws ExternalError */
export function parseExpiry(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = AGE.exec(text) ?? [];
  const time = unit === '' ? Date.parse(text) : now + Number(count) * UNITS[unit]!;
  if (Number.isNaN(time) || time <= now) {
    throw new ExternalError(
      'usage/expiry',
      `\`--expires\` expects a date or duration in the future, such as \`90d\` or \`2031-12-31\`, found \`${text}\``,
    );
  }
  return time;
}
