import { showDouble, showMap } from '../engines.ts';

/** A value as the driver writes it. */
export interface WireDatum {
  readonly kind: string;
  readonly value?: unknown;
  readonly seconds?: number;
  readonly nanos?: number;
  readonly elements?: readonly WireDatum[];
  readonly entries?: readonly (readonly [WireDatum, WireDatum])[];
}

/** Returns a value of cel-go in the format of ours. */
export function showReference(datum: WireDatum): string {
  switch (datum.kind) {
    case 'null':
      return 'null';
    case 'bool':
    case 'string':
      return JSON.stringify(datum.value);
    case 'message':
      return showMap([['"file_name"', JSON.stringify(datum.value)]]);
    case 'double':
      return `double ${showDouble(readDouble(datum.value as string))}`;
    case 'bytes':
    case 'invalid-string':
      return `${datum.kind} ${(datum.value as readonly number[]).join(' ')}`;
    case 'timestamp':
    case 'duration':
      return `${datum.kind} ${datum.seconds} ${datum.nanos}`;
    case 'optional':
      return `optional(${datum.value === undefined ? '' : showReference(datum.value as WireDatum)})`;
    case 'list':
      return `[${datum.elements!.map(showReference).join(', ')}]`;
    case 'map':
      return showMap(datum.entries!.map(([key, value]) => [showReference(key), showReference(value)]));
    default:
      return `${datum.kind} ${datum.value}`;
  }
}

const bits = new DataView(new ArrayBuffer(8));

function readDouble(hexadecimal: string): number {
  bits.setBigUint64(0, BigInt(`0x${hexadecimal}`));
  return bits.getFloat64(0);
}
