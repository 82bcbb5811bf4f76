/** Conditions on one input, with values on and next to every boundary. */
export interface InputGroup {
  readonly atoms: readonly string[];
  readonly values: readonly unknown[];
  /** Sets the input in an activation. */
  readonly place: (activation: MutableActivation, value: unknown) => void;
}

/** The inputs of a request and its response that the groups set. */
export interface MutableActivation {
  readonly conn: { ClientIP: unknown; Geo: { Latitude: unknown } };
  readonly req: {
    Method: unknown;
    Path: unknown;
    Host: unknown;
    ContentLength: unknown;
    Headers: unknown;
    Cookies: unknown;
  };
  readonly res: { StatusCode: unknown };
}

const METHOD: InputGroup = {
  atoms: [
    ...["req.Method == 'A'", "req.Method != 'A'", "'B' == req.Method", "req.Method != 'B'", "req.Method == 'C'"],
    ...["req.Method in ['A', 'B']", "req.Method in ['B', 'C']", "!(req.Method in ['A', 'C'])", 'req.Method in []'],
    ...[
      "req.Method.startsWith('A')",
      "req.Method.contains('B')",
      "req.Method.endsWith('')",
      "req.Method.matches('^A')",
    ],
    ...["req.Method < 'B'", "req.Method >= 'B'", "req.Method <= 'A'", "req.Method > 'A'", "req.Method < ''"],
    ...['size(req.Method) > 1', 'req.Method.size() == 1', 'size(req.Method) < 1', "req.Method.matches('^[AB]$')"],
    ...["['A', 'B'].exists(m, req.Method == m)", "['A', 'B'].all(m, req.Method != m)", "req.Method == 'A' + ''"],
    ...['req.Method == req.Host', 'req.Method != req.Host', 'req.Method < req.Host', 'req.Method >= req.Host'],
    ...["(req.Method == 'A') == true", "req.Method == 'A' != (req.Method == 'B')", "'A' == 'A'", '1 / 0 == 1'],
  ],
  values: ['', 'A', 'B', 'C', 'AB', 'BA', 'a', 'A\0', '\0', 'Z', '\uffff', '😀'],
  place: ({ req }, value) => {
    req.Method = value;
  },
};

const PATH: InputGroup = {
  atoms: [
    ...[
      "req.Path == '/a'",
      "req.Path != '/a'",
      "req.Path == '/ab'",
      "req.Path in ['/a', '/b']",
      "req.Path in ['/ab', '']",
    ],
    ...[
      "req.Path.startsWith('/a')",
      "req.Path.startsWith('/ab')",
      "req.Path.startsWith('/b')",
      "req.Path.startsWith('')",
    ],
    ...["req.Path.startsWith('\\uffff')", "req.Path.startsWith('😀')", "req.Path.startsWith('\\ud7ff')"],
    ...["req.Path.endsWith('b')", "req.Path.endsWith('ab')", "req.Path.endsWith('a')", "req.Path.contains('a')"],
    ...["req.Path.contains('ab')", "req.Path.contains('/')", "req.Path.matches('^/a')", "req.Path.matches('^/a$')"],
    ...["req.Path.matches('^/(a|b)$')", "req.Path.matches('(?:ab|b)$')", "req.Path.matches('^/ab|b')"],
    ...["req.Path.matches('b$')", "req.Path.matches('a.*b')", "req.Path.matches('a')"],
    ...["req.Path < '/b'", "req.Path >= '/ab'", "req.Path > '/a'", "req.Path <= '/a'", "req.Path < '/a\\u0000'"],
    ...["req.Path.substring(1) == 'b'", "req.Path.substring(1, 2) == 'a'", "req.Path.replace('a', 'b') == '/b'"],
    ...["req.Path.indexOf('b') == 1", "req.Path.split('/')[1] == 'a'", "req.Path.charAt(1) == 'b'"],
    ...["req.Path.replace('b', '').startsWith('/a')", "req.Path.split('').exists(c, c == 'b')"],
    ...["req.Path.replace('ab', 'b') == '/b'", "req.Path.replace('a', '') == '/b'", "req.Path.lastIndexOf('a') > 1"],
    ...["req.Path.substring(0, 2) == '/a'", "req.Path.substring(2).endsWith('b')", "req.Path.trim() == '/a'"],
    ...[
      "req.Path.indexOf('a', 1) == 1",
      "req.Path.indexOf('b') < 0",
      "req.Path.indexOf('a') != req.Path.lastIndexOf('a')",
    ],
    ...["req.Path.split('a').size() > 2", "req.Path.split('/')[1].startsWith('a')", "req.Path.charAt(2) in ['a', 'b']"],
    ...['size(req.Path) <= 2', 'size(req.Path) > 2', 'size(req.Path) == 3', 'req.Path.size() != 2'],
  ],
  values: [
    '',
    '/',
    '/a',
    '/ab',
    '/abc',
    '/b',
    '/ba',
    'a',
    'ab',
    'b',
    '/a\0',
    '/a\0b',
    '/aa',
    '\uffff',
    '\ud7ffx',
    '\ue000',
    '😀x',
  ],
  place: ({ req }, value) => {
    req.Path = value;
  },
};

const LENGTH: InputGroup = {
  atoms: [
    ...['>', '>=', '<', '<=', '==', '!='].flatMap(operator => [
      `req.ContentLength ${operator} 0`,
      `req.ContentLength ${operator} 5`,
      `${operator === '==' || operator === '!=' ? '6' : '5.5'} ${operator} req.ContentLength`,
    ]),
    ...['req.ContentLength in [0, 5]', 'req.ContentLength in [5, 6, 7]', 'req.ContentLength > 9223372036854775806'],
    ...['req.ContentLength > 9223372036854775807', 'req.ContentLength < 9.0e18', 'req.ContentLength <= 5.0'],
    ...['req.ContentLength >= -9223372036854775808', 'req.ContentLength + 1 > 5', 'req.ContentLength == 2 * 3'],
    ...['req.ContentLength / req.ContentLength == 1', 'double(req.ContentLength) < 5.5'],
    ...["string(req.ContentLength) == '5'", "string(req.ContentLength) != '05'", 'double(req.ContentLength) >= 9.0e15'],
    ...["string(req.ContentLength) in ['0', '-1', 'x']", "string(req.ContentLength).startsWith('5')"],
  ],
  values: [-1, 0, 1, 4, 5, 6, 7, 2n ** 63n - 1n, 2n ** 63n - 2n, -(2n ** 63n), 9007199254740993n],
  place: ({ req }, value) => {
    req.ContentLength = value;
  },
};

const STATUS: InputGroup = {
  atoms: [
    ...["res.StatusCode == '404'", 'res.StatusCode == 404', "res.StatusCode != '404'", 'res.StatusCode != 404'],
    ...['res.StatusCode >= 400', 'res.StatusCode < 500', 'res.StatusCode > 403', 'res.StatusCode <= 404'],
    ...["res.StatusCode in ['404', '500']", 'res.StatusCode in [404, 500]', "res.StatusCode.startsWith('4')"],
    ...["res.StatusCode < '500'", "res.StatusCode >= '404'", "res.StatusCode > '404'", "res.StatusCode.matches('^4')"],
    ...['int(res.StatusCode) == 500', 'double(res.StatusCode) > 404.5', 'double(res.StatusCode) == 404.0'],
  ],
  values: ['404', '403', '405', '500', '499', '400', '', 'x', '+404', '0404', '404.5', '4', ' 404', '5e2', 'NaN', '-1'],
  place: ({ res }, value) => {
    res.StatusCode = value;
  },
};

const ADDRESS: InputGroup = {
  atoms: [
    ...[
      '10.0.0.0/8',
      '10.0.0.0/9',
      '10.128.0.0/9',
      '0.0.0.0/0',
      '::/0',
      '2001:db8::/32',
      '10.1.2.3/16',
      'x',
      '10.0.0.1/32',
    ].map(range => `inCidrRange(conn.ClientIP, '${range}')`),
    ...[
      "inCidrRanges(conn.ClientIP, ['10.0.0.0/9', '10.128.0.0/9'])",
      "inCidrRanges(conn.ClientIP, ['x', '11.0.0.0/8'])",
    ],
    ...["inCidrRanges(conn.ClientIP, ['0.0.0.0/0', '::/0'])", 'inCidrRanges(conn.ClientIP, [])'],
    ...["conn.ClientIP == '10.0.0.1'", "conn.ClientIP != '10.0.0.1'", "conn.ClientIP in ['10.0.0.1', '11.0.0.1']"],
    ...["conn.ClientIP.startsWith('10.')", "conn.ClientIP == '2001:db8::1'", "conn.ClientIP.contains(':')"],
  ],
  values: [
    ...['10.0.0.0', '10.0.0.1', '10.255.255.255', '9.255.255.255', '11.0.0.0', '11.0.0.1', '10.127.255.255'],
    // The client always has an address.
    ...['10.128.0.0', '10.1.2.3', '0.0.0.0', '255.255.255.255', '::'],
    ...['2001:db8::1', '2001:DB8:0::1', '2001:db9::', '2001:db7:ffff::'],
  ],
  place: ({ conn }, value) => {
    conn.ClientIP = value;
  },
};

const HEADER: InputGroup = {
  atoms: [
    ...["'X' in req.Headers", "hasReqHeader('X')", 'has(req.Headers.X)', "!hasReqHeader('X')", "hasReqHeader('Y')"],
    ...["req.Headers['X'][0] == '1'", "req.Headers['X'][0] != '1'", "req.Headers['X'][0] in ['1', '2']"],
    ...["req.Headers['X'][0].startsWith('1')", "req.Headers['X'][0] == 'a'", "req.Headers['X'][0].size() > 0"],
    ...[
      "req.Headers['X'].size() > 0",
      "size(req.Headers['X']) >= 0",
      "'1' in req.Headers['X']",
      "req.Headers.X[0] == '1'",
    ],
    ...[
      "getReqHeader('X')[0] == '1'",
      "getReqHeader('X') == []",
      "getReqHeader('X') != []",
      "size(getReqHeader('X')) > 0",
    ],
    ...["req.Headers['X'].exists(v, v.startsWith('1'))", "req.Headers['X'].exists(v, v.matches('^[12]'))"],
    ...["req.Headers['X'].exists(v, v == '1')", "req.Headers['X'].all(v, v != '1')", 'size(req.Headers) > 0'],
    ...["int(req.Headers['X'][0]) > 1", "int(req.Headers['X'][0]) <= 1", "int(req.Headers['X'][0]) in [1, 5]"],
    ...["req.Headers['X'][0] == req.Headers['X'][1]", "hasReqHeader('X') ? req.Headers['X'][0] == '1' : true"],
    ...[
      "req.Headers.exists(h, h == 'X')",
      "!req.Headers.all(h, h != 'X')",
      "req.Headers['X'][0] != req.Headers['Y'][0]",
    ],
  ],
  values: [{}, { X: ['1'] }, { X: ['a', '1'] }, { X: [''] }, { X: ['5', '5'] }, { Y: ['1'] }, { X: ['2'], Y: ['2'] }],
  place: ({ req }, value) => {
    req.Headers = value;
  },
};

const LATITUDE: InputGroup = {
  atoms: [
    ...['>', '>=', '<', '<=', '==', '!='].flatMap(operator => [
      `double(conn.Geo.Latitude) ${operator} 5.0`,
      `double(conn.Geo.Latitude) ${operator} 4.5`,
    ]),
    ...[
      "conn.Geo.Latitude == '5.0'",
      "conn.Geo.Latitude == 'NaN'",
      "conn.Geo.Latitude != ''",
      "conn.Geo.Latitude < '5'",
    ],
    ...[
      'double(conn.Geo.Latitude) in [5.0, 4.5]',
      'double(conn.Geo.Latitude) > 1.0e308',
      'double(conn.Geo.Latitude) == 0.0',
    ],
    ...["double(conn.Geo.Latitude) >= 4.75 && conn.Geo.Latitude.startsWith('4')", 'double(conn.Geo.Latitude) < -4.9'],
    ...['double(conn.Geo.Latitude) < 5', 'double(conn.Geo.Latitude) != double(conn.Geo.Latitude)'],
  ],
  values: [
    '',
    '5.0',
    '5',
    '4.5',
    '4.75',
    '0',
    '-0',
    '-5',
    'NaN',
    'inf',
    '-inf',
    '1e309',
    '5.000000000000001',
    'x',
    '05.',
    '.5',
    '4.750',
    '+4.76',
    '-4.90',
  ],
  place: ({ conn }, value) => {
    conn.Geo.Latitude = value;
  },
};

/** Cookies by name and value; in requests, nothing else is set. */
function cookies(...pairs: readonly (readonly [Name: string, Value: string])[]): readonly unknown[] {
  return pairs.map(([Name, Value]) => ({
    ...{ Name, Value, Path: '', Domain: '', RawExpires: '', MaxAge: 0, Secure: false, HttpOnly: false },
    ...{ SameSite: 0, Raw: '', Unparsed: [] },
  }));
}

const COOKIE: InputGroup = {
  atoms: [
    ...["hasReqCookie('a')", "hasReqCookie('b')", "!hasReqCookie('a')", "req.Cookies.exists(c, c.Name == 'a')"],
    ...["getReqCookie('a').Value == '1'", "getReqCookie('a').Value != '1'", "getReqCookie('b').Value == '1'"],
    ...["getReqCookie('a').Value.startsWith('1')", "getReqCookie('a').Name == 'a'", "getReqCookie('a').Value == '2'"],
    ...["req.Cookies.exists(c, c.Name == 'a' && c.Value == '1')", "req.Cookies.all(c, c.Name == 'a')"],
    ...["req.Cookies.all(c, c.Value != '1')", "req.Cookies.exists(c, c.Value == '2' || c.Name == 'b')"],
    ...["req.Cookies[0].Name == 'a'", "req.Cookies[1].Value == '1'", "req.Cookies[0].Value != '2'"],
    ...['size(req.Cookies) > 0', 'size(req.Cookies) == 2', 'size(req.Cookies) < 1', 'req.Cookies.size() >= 1'],
    ...["req.Cookies.filter(c, c.Name == 'a').size() == 0", "req.Cookies.filter(c, c.Name == 'a').size() > 0"],
    ...["req.Cookies.filter(c, c.Name == 'a').size() > 1", 'req.Cookies.exists(c, int(c.Value) > 1)'],
    ...['req.Cookies.all(c, int(c.Value) > 1)', "req.Cookies.filter(c, int(c.Value) < 3)[0].Name == 'a'"],
    ...["req.Cookies.filter(c, c.Value == '1')[0].Name == 'b'", 'req.Cookies.exists(c, c.Name == req.Method)'],
  ],
  values: [
    ...[
      cookies(),
      cookies(['a', '1']),
      cookies(['b', '1']),
      cookies(['a', '2']),
      cookies(['a', '']),
      cookies(['c', '3']),
    ],
    ...[cookies(['a', '1'], ['a', '2']), cookies(['a', '2'], ['a', '1']), cookies(['b', '1'], ['a', '1'])],
    ...[cookies(['a', '1'], ['b', 'x']), cookies(['b', '2'], ['a', '1'], ['b', '1']), cookies(['B', '1'])],
  ],
  place: ({ req }, value) => {
    req.Cookies = value;
  },
};

const HOST: InputGroup = {
  atoms: [
    ...["req.Host == 'A'", "req.Host != 'B'", "req.Host in ['A', '1', '/a']", "req.Host.startsWith('A')"],
    ...['req.Host == req.Method', 'req.Method != req.Host', 'req.Host == req.Path', 'req.Host != conn.ClientIP'],
    ...["req.Host == req.Headers['X'][0]", "getReqHeader('X')[0] != req.Host", "req.Host == getReqHeader('X')[1]"],
    ...["req.Host == getReqHeader('Y')[0]", "req.Headers['X'][0] == req.Headers['Y'][0]", 'conn.ClientIP == req.Host'],
    ...["req.Host in [req.Method, '5']", "req.Host in [req.Path, req.Headers['X'][0]]", 'req.Method == req.Path'],
    ...["(hasReqHeader('X') ? req.Headers['X'][0] : req.Method) == req.Host", 'size(req.Host) > 1'],
    ...['req.ContentLength == size(req.Host)', 'req.ContentLength + 1 > size(req.Host)', 'req.Host == req.Host'],
    ...['req.Host < req.Method', 'req.Method <= req.Host', 'req.Host > req.Path', 'req.Path >= req.Host'],
    ...['req.Host.startsWith(req.Method)', 'req.Method.startsWith(req.Host)', 'req.Host.contains(req.Method)'],
    ...['req.Host.endsWith(req.Method)', 'req.Path.contains(req.Host)', "req.Headers['X'][0] < req.Host"],
    ...["req.Method + req.Host == 'AB'", "req.Host + req.Path == 'A/a'", "(req.Host + req.Method).startsWith('A')"],
    ...[
      "(req.Method + ' ' + req.Host).contains('A ')",
      "req.Host + req.Headers['X'][0] == 'A1'",
      "req.Host + 'B' == 'AB'",
    ],
    ...[
      'size(req.Host) + size(req.Method) > 2',
      'size(req.Host) + size(req.Path) <= 3',
      "getReqHeader('X').join(',') == 'a,1'",
    ],
    ...[
      'req.ContentLength + size(req.Host) > 5',
      'size(req.Host) == size(req.Method)',
      'size(req.Host) < size(req.Path)',
    ],
    ...['req.ContentLength - size(req.Host) < 2', 'double(req.ContentLength) == double(req.Host)'],
  ],
  values: ['', 'A', 'B', '1', '2', '5', 'a', '/a', '10.0.0.1', 'AB'],
  place: ({ req }, value) => {
    req.Host = value;
  },
};

export const GROUPS: readonly InputGroup[] = [METHOD, PATH, LENGTH, STATUS, ADDRESS, HEADER, LATITUDE, COOKIE, HOST];

/** Returns all combinations of the values of these groups; other inputs have a fixed value. */
export function activationsOf(groups: readonly InputGroup[]): readonly MutableActivation[] {
  return groups.reduce<readonly MutableActivation[]>(
    (all, { values, place }) =>
      all.flatMap(one =>
        values.map(value => {
          const copy = { conn: { ...one.conn, Geo: { ...one.conn.Geo } }, req: { ...one.req }, res: { ...one.res } };
          place(copy, value);
          return copy;
        }),
      ),
    [
      {
        conn: { ClientIP: '192.0.2.1', Geo: { Latitude: '52.5' } },
        req: { Method: 'B', Path: '/', Host: 'B', ContentLength: 0, Headers: {}, Cookies: [] },
        res: { StatusCode: '200' },
      },
    ],
  );
}
