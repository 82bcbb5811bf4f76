import { InvalidArgumentError, Option } from 'commander';

/** The option that completes URLs of which a part is not recorded. */
export function originOption(): Option {
  return new Option('--origin <url>', 'scheme, host and port to assume where the recording lacks them').argParser(
    parseOrigin,
  );
}

/** The option that seeds random choices. */
export function seedOption(): Option {
  return new Option('--seed <number>', 'seed for random functions; without it, their results are unknown').argParser(
    parseSeed,
  );
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  if (!isOrigin) throw new InvalidArgumentError('expected a scheme and host, such as `https://example.com`.');
  return url.origin;
}

/** Parses the time in an option, in ms since 1970-01-01T00:00:00Z. */
export function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time, such as `2026-03-02T10:15:30Z`.');
  return time;
}

function parseSeed(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a non-negative integer.');
  return Number(text);
}
