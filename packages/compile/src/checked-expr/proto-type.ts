import type { Type } from '@tollgate/cel';

/** A value in the JSON form of protocol buffers. */
export type ProtoJson =
  | null
  | boolean
  | number
  | string
  | readonly ProtoJson[]
  | { readonly [name: string]: ProtoJson };

/** Returns a type as `cel.expr.Type`. */
export function protoType(type: Type): ProtoJson {
  switch (type.kind) {
    case 'dyn':
      return { dyn: {} };
    case 'error':
      return { error: {} };
    case 'null':
      return { null: null };
    case 'bool':
      return { primitive: 'BOOL' };
    case 'int':
      return { primitive: 'INT64' };
    case 'uint':
      return { primitive: 'UINT64' };
    case 'double':
      return { primitive: 'DOUBLE' };
    case 'string':
      return { primitive: 'STRING' };
    case 'bytes':
      return { primitive: 'BYTES' };
    case 'timestamp':
      return { wellKnown: 'TIMESTAMP' };
    case 'duration':
      return { wellKnown: 'DURATION' };
    case 'list':
      return { listType: { elemType: protoType(type.element) } };
    case 'map':
      return { mapType: { keyType: protoType(type.key), valueType: protoType(type.value) } };
    case 'optional':
      return { abstractType: { name: 'optional_type', parameterTypes: [protoType(type.value)] } };
    case 'type':
      return { type: type.of === undefined ? {} : protoType(type.of) };
    case 'wrapper':
      return wrapperOf(protoType(type.of));
    case 'param':
      return { typeParam: type.name };
    case 'object':
      return { messageType: type.name };
    case 'opaque':
      return { abstractType: { name: type.name, parameterTypes: type.params.map(protoType) } };
  }
}

function wrapperOf(type: ProtoJson): ProtoJson {
  const isPrimitive = typeof type === 'object' && type !== null && 'primitive' in type;
  return isPrimitive ? { wrapper: type.primitive as ProtoJson } : type;
}
