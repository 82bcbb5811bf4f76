import { CONDITIONS } from '../lint/whole-exchanges.ts';

/** Conditions of all classes that the solver interprets, over few values, so that they are related. */
export const SOLVER_CONDITIONS: readonly string[] = [
  ...CONDITIONS,
  ...[
    "req.Path.matches('^/(a|b)$')",
    "req.Path.matches('(?i)^/A')",
    "req.Path.matches('b$')",
    "req.Path.matches('a.*b')",
  ],
  ...[
    "!req.Path.matches('^/a')",
    "req.Path.matches('^/a(/|$)')",
    "req.Path.matches('^/[a-c]+$')",
    "req.Path.matches('[.]')",
  ],
  ...["req.Path.lowerAscii() == '/b'", "req.Path.lowerAscii().startsWith('/a')", "req.Path.upperAscii() == '/A'"],
  ...["req.Path + 'x' == '/ax'", "'x' + req.Path == 'x/a'", "(req.Path + '/').startsWith('/a/')", "req.Path < '/b'"],
  ...[
    'size(req.Path) == 2',
    'size(req.Path) < 3',
    'size(req.Path) + 1 > 3',
    'req.Path.size() * 2 == 4',
    "req.Path >= '/ab'",
  ],
  ...["req.Path != '/a' ? req.Method == 'A' : req.Host == 'e.co'", "(req.Path == '/a') == (req.Method == 'A')"],
  ...["req.Headers['X'].exists(v, v == '1')", "req.Headers['X'].all(v, v != '1')", "req.Headers['X'][0].size() > 0"],
  ...["req.Headers['X'].exists(v, v.matches('^[12]'))", "req.Headers['X'].size() == 2", "getReqHeader('X') == ['1']"],
  ...["getReqHeader('X') == []", "getReqHeader('X')[0] == '1'", "size(getReqHeader('X')) > 0", 'has(req.Headers.X)'],
  ...["req.Headers['X'][1] == '2'", "req.Headers['X'][0] + 'b' == 'ab'", "int(req.Headers['X'][0]) > 1"],
  ...["int(req.Headers['X'][0]) <= 1", "req.Headers['X'] != ['1']", "req.Headers['X'].exists(v, v == req.Method)"],
  ...["['A', 'B'].exists(m, req.Method == m)", "['A', 'B'].all(m, req.Method != m)", "req.Method.matches('^[AB]$')"],
  ...["conn.ClientIP.startsWith('10.')", "conn.ClientIP.endsWith('.0')", "conn.ClientIP.matches('^10[.]1[.]')"],
  ...["inCidrRange(conn.ClientIP, '::/0')", "inCidrRange(conn.ClientIP, '0.0.0.0/0')", 'isIP(conn.ClientIP)'],
  ...["req.Host.matches('(?i)e[.]co$')", "req.Host.lowerAscii() == 'e.co'", "'Host' in req.Headers"],
  ...[
    'req.ContentLength == 1',
    'req.ContentLength % 2 == 1',
    'req.ContentLength - 1 < 1',
    '2 - req.ContentLength == 1',
  ],
  ...[
    "hasReqCookie('a')",
    "getReqCookie('a').Value == '1'",
    "req.Cookies.all(c, c.Name == 'a')",
    'size(req.Cookies) > 1',
  ],
  ...["req.Params['q'].exists(v, v == '1')", "req.Params['q'].size() > 1", "req.Params['q'] == ['1']"],
];
