const SECONDS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** A duration as Go writes it, without sign. */
export const DURATION_PATTERN = '^(?:0|(?:\\d+(?:\\.\\d+)?(?:ns|us|µs|ms|s|m|h))+)$';

const DURATION = new RegExp(DURATION_PATTERN, 'u');

/** The seconds of a duration as Go writes it, `1h30m`, without sign; undefined when it is none. */
export function durationSeconds(text: string): number | undefined {
  if (text === '0') return 0;
  if (!DURATION.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * SECONDS[unit!]!, 0);
}
