/** Formats with a fixed number of decimals, rounding halves of the exact value to even. Works for any precision and any double. */
export function formatFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const digits = String(scaled(Math.abs(value), precision)).padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return `${signOf(value)}${whole}${precision > 0 ? `.${digits.slice(-precision)}` : ''}`;
}

/** As `1.052033e+03`. */
export function formatScientific(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  let exponent = size === 0 ? 0 : Number(size.toExponential().split('e')[1]);
  let digits = String(scaled(size, precision - exponent)).padEnd(precision + 1, '0');
  // Rounding up may have carried into another digit.
  if (digits.length > precision + 1) {
    digits = digits.slice(0, -1);
    exponent++;
  }
  const fraction = precision > 0 ? `.${digits.slice(1)}` : '';
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  return `${signOf(value)}${digits[0]}${fraction}e${power}`;
}

/** Returns the shortest digits that identify the double, without an exponent. */
export function shortestDecimal(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  const point = 1 + Number(exponent);
  if (point <= 0) return `${signOf(value)}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${signOf(value)}${digits.padEnd(point, '0')}`;
  return `${signOf(value)}${digits.slice(0, point)}.${digits.slice(point)}`;
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : `${signOf(value)}Infinity`;
}

/** Returns the integer nearest to `value * 10 ** power`, computed exactly, with ties to even. */
function scaled(value: number, power: number): bigint {
  // Doubling and halving are exact, so this ends with an integer and a power of two.
  let mantissa = value;
  let exponent = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  const numerator = BigInt(mantissa) * 10n ** BigInt(Math.max(0, power));
  const denominator = 2n ** BigInt(exponent) * 10n ** BigInt(Math.max(0, -power));
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
