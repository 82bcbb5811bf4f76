/** Runs something `count` times; gives a number that depends on all of the results, so that none can be left out. */
type Sample = (count: number) => number;

const SAMPLE_MILLISECONDS = 2;
const SAMPLES_PER_ROUND = 7;

/**
 * A sample that calls `run` with one input after another and counts what is true. All samples share one loop, which V8 has
 * seen calling many functions: it inlines none of them into it, as it would not in a program that holds many policies.
 */
export function sampleOf<T>(run: (input: T) => unknown, inputs: readonly T[]): Sample {
  if ((inputs.length & (inputs.length - 1)) !== 0) throw new RangeError('the number of inputs must be a power of two');
  return count => loop(run, inputs, count);
}

function loop<T>(run: (input: T) => unknown, inputs: readonly T[], count: number): number {
  const mask = inputs.length - 1;
  let hits = 0;
  for (let i = 0; i < count; i++) {
    if (run(inputs[i & mask] as T) === true) hits++;
  }
  return hits;
}

// More call targets than V8 keeps apart at one place.
for (let i = 0; i < 10; i++)
  loop(new Function('input', `return input===${i}`) as (input: unknown) => unknown, [0, 1], 1000);

/** How often to run for a sample of some milliseconds; warms up as it finds out. */
function calibrate(sample: Sample): number {
  let count = 64;
  const end = performance.now() + 60 * SAMPLE_MILLISECONDS;
  let took = 0;
  while (performance.now() < end || took < SAMPLE_MILLISECONDS) {
    const start = performance.now();
    sample(count);
    took = performance.now() - start;
    if (took < SAMPLE_MILLISECONDS) count *= 2;
  }
  return Math.max(1, Math.ceil((count * SAMPLE_MILLISECONDS) / took));
}

/**
 * Nanoseconds a run of each, measured by turns so that a busy machine hits all alike: of every round the least of several
 * samples, of all rounds the median.
 */
export function nanoseconds(samples: readonly Sample[], rounds = 5): readonly number[] {
  const counts = samples.map(calibrate);
  const found: number[][] = samples.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const least = samples.map(() => Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < SAMPLES_PER_ROUND; turn++) {
      samples.forEach((sample, index) => {
        const count = counts[index] as number;
        const start = performance.now();
        sample(count);
        least[index] = Math.min(least[index] as number, ((performance.now() - start) * 1e6) / count);
      });
    }
    least.forEach((value, index) => {
      found[index]?.push(value);
    });
  }
  return found.map(median);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** A time for people, in three significant digits. */
export function shownTime(ns: number): string {
  return ns < 1000
    ? `${ns.toPrecision(3)} ns`
    : ns < 1e6
      ? `${(ns / 1000).toPrecision(3)} µs`
      : `${(ns / 1e6).toPrecision(3)} ms`;
}
