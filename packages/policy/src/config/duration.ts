const SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** An unsigned duration in Go's syntax. */
export const DURATION_PATTERN = '^(?:0|(?:\\d+(?:\\.\\d+)?(?:ns|us|µs|ms|s|m|h))+)$';

const DURATION = new RegExp(DURATION_PATTERN, 'u');

/** Returns the seconds of an unsigned duration in Go's syntax, such as `1h30m`, or undefined if it is malformed. */
export function durationSeconds(text: string): number | undefined {
  if (text === '0') return 0;
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!, 0);
}
