import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  type FunctionDecl,
  INT,
  listOf,
  mapOf,
  NULL,
  type ObjectDecl,
  objectType,
  opaqueType,
  optionalOf,
  paramType,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
  type VariableDecl,
  wrapperOf,
} from '@tollgate/cel';

/** A type in the JSON form of the suites. */
export interface SpecType {
  readonly dyn?: object;
  readonly null?: null;
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly listType?: { readonly elemType: SpecType };
  readonly mapType?: { readonly keyType: SpecType; readonly valueType: SpecType };
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly type?: SpecType;
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly SpecType[] };
}

interface SpecOverload {
  readonly overloadId: string;
  readonly params?: readonly SpecType[];
  readonly resultType: SpecType;
  readonly isInstanceFunction?: boolean;
}

/** A declaration in the JSON form of the suites. */
export interface SpecDeclaration {
  readonly name: string;
  readonly ident?: { readonly type: SpecType };
  readonly function?: { readonly overloads: readonly SpecOverload[] };
}

const SCALARS: Readonly<Record<string, Type>> = {
  BOOL,
  INT64: INT,
  UINT64: UINT,
  DOUBLE,
  STRING,
  BYTES,
  TIMESTAMP,
  DURATION,
  ANY: DYN,
};

/** Messages that correspond to CEL types. */
const WELL_KNOWN: Readonly<Record<string, Type>> = {
  'google.protobuf.Duration': DURATION,
  'google.protobuf.Timestamp': TIMESTAMP,
};

export function toType(spec: SpecType): Type {
  const scalar = spec.primitive ?? spec.wellKnown;
  if (scalar !== undefined) return scalarType(scalar);
  if (spec.wrapper !== undefined) return wrapperOf(scalarType(spec.wrapper));
  if (spec.listType) return listOf(toType(spec.listType.elemType));
  if (spec.mapType) return mapOf(toType(spec.mapType.keyType), toType(spec.mapType.valueType));
  if (spec.messageType !== undefined) return WELL_KNOWN[spec.messageType] ?? objectType(spec.messageType);
  if (spec.typeParam !== undefined) return paramType(spec.typeParam);
  if (spec.abstractType)
    return abstractType(spec.abstractType.name, (spec.abstractType.parameterTypes ?? []).map(toType));
  if (spec.type) return typeOf(Object.keys(spec.type).length === 0 ? undefined : toType(spec.type));
  if ('null' in spec) return NULL;
  if (spec.dyn) return DYN;
  throw new Error(`unknown type in a suite: ${JSON.stringify(spec)}`);
}

function scalarType(name: string): Type {
  const type = SCALARS[name];
  if (type === undefined) throw new Error(`unknown scalar type in a suite: ${name}`);
  return type;
}

function abstractType(name: string, params: readonly Type[]): Type {
  return name === 'optional_type' ? optionalOf(params[0] ?? DYN) : opaqueType(name, ...params);
}

export function variablesOf(declarations: readonly SpecDeclaration[] = []): VariableDecl[] {
  return declarations.flatMap(({ name, ident }) => (ident ? [{ name, type: toType(ident.type) }] : []));
}

export function functionsOf(declarations: readonly SpecDeclaration[] = []): FunctionDecl[] {
  return declarations.flatMap(({ name, function: fn }) =>
    fn ? [{ name, doc: 'Declared by a test.', overloads: fn.overloads.map(toOverload) }] : [],
  );
}

function toOverload(spec: SpecOverload): FunctionDecl['overloads'][number] {
  return {
    id: spec.overloadId,
    member: spec.isInstanceFunction === true,
    params: (spec.params ?? []).map(toType),
    result: toType(spec.resultType),
  };
}

/**
 * The fields of the `TestAllTypes` messages that type deduction tests read. Deduction is about types with declared fields, and messages are
 * only one kind of those.
 */
export function testAllTypes(packageName: string): ObjectDecl[] {
  const nested = `${packageName}.TestAllTypes.NestedMessage`;
  const fields: Readonly<Record<string, Type>> = {
    single_int64: INT,
    repeated_int64: listOf(INT),
    map_bool_int64: mapOf(BOOL, INT),
    standalone_enum: INT,
    repeated_nested_enum: listOf(INT),
    map_int32_enum: mapOf(INT, INT),
    repeated_nested_message: listOf(objectType(nested)),
    single_int64_wrapper: wrapperOf(INT),
    single_string_wrapper: wrapperOf(STRING),
    single_duration: DURATION,
    single_timestamp: TIMESTAMP,
  };
  return [declareObject(`${packageName}.TestAllTypes`, fields), declareObject(nested, { bb: INT })];
}

function declareObject(name: string, fields: Readonly<Record<string, Type>>): ObjectDecl {
  return { name, fields: new Map(Object.entries(fields).map(([field, type]) => [field, { type }])) };
}
