// The parameters of RFC 3492, section 5.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST = 0x80;

/** Decodes a label without its `xn--` prefix (RFC 3492, section 6.2); undefined if it is malformed. */
export function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  const points = delimiter > 0 ? Array.from(text.slice(0, delimiter), basic => basic.charCodeAt(0)) : [];
  let at = delimiter > 0 ? delimiter + 1 : 0;
  let codePoint = FIRST;
  let index = 0;
  let bias = 72;
  while (at < text.length) {
    const before = index;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text[at++]);
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = points.length + 1;
    bias = adapt(index - before, count, before === 0);
    codePoint += Math.floor(index / count);
    index %= count;
    if (codePoint > 0x10_ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined;
    points.splice(index++, 0, codePoint);
  }
  return points.some(point => point >= FIRST) ? String.fromCodePoint(...points) : undefined;
}

function digitOf(character = ''): number | undefined {
  if (/^[a-z]$/i.test(character)) return character.toLowerCase().charCodeAt(0) - 97;
  return /^\d$/.test(character) ? Number(character) + 26 : undefined;
}

/** RFC 3492, section 6.1. */
function adapt(delta: number, count: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / count);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
