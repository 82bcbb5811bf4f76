// IEEE 754 as in JavaScript: division by zero returns an infinity or NaN, never an error.

export function addDouble(a: number, b: number): number {
  return a + b;
}

export function subtractDouble(a: number, b: number): number {
  return a - b;
}

export function multiplyDouble(a: number, b: number): number {
  return a * b;
}

export function divideDouble(a: number, b: number): number {
  return a / b;
}

export function negateDouble(a: number): number {
  return -a;
}
