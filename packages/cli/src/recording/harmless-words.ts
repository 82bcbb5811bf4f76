// Words and headers that reveal nothing about anybody. Extend them where that makes recorded tests easier to read; `redact.test.ts` shows that
// secrets do not get through.

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Lower-case names of headers with values of a small vocabulary, of which short words and numbers stay. */
export const HARMLESS_HEADERS: ReadonlySet<string> = words(`
  accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-credentials access-control-allow-headers
  access-control-allow-methods access-control-max-age access-control-request-headers access-control-request-method age allow cache-control
  connection content-encoding content-language content-length content-type date dnt expect expires if-modified-since keep-alive last-modified
  max-forwards origin-agent-cluster pragma priority range referrer-policy retry-after save-data sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform
  sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-websocket-version server strict-transport-security te trailer
  transfer-encoding upgrade upgrade-insecure-requests user-agent vary via x-content-type-options x-forwarded-port
  x-forwarded-proto x-frame-options x-requested-with x-xss-protection
`);

/** Lower-case words that stay wherever they are. */
export const HARMLESS_WORDS: ReadonlySet<string> = words(`
  access account action admin age agent allow amp android any api app apple applewebkit application archive article asc assets attachment audio
  auth authorization base64 basic bearer bingbot blog body boundary br brotli browser bytes cache callback cart category charset chrome
  chromium chunked client clients close cms code compatible compress config connecting connection content control cookie copy cors count cpu
  create credentials cross csrf css curl csv data date default deflate delete desc dest details device digest dir dns do document domain download
  duckduckbot edit edg edge edgios email embed empty encoding en de es fr it ja nl pl pt ru zh error event events expect expires export expires
  facebookexternalhit false favicon feed fetch file files filter firefox font form format forwarded frame from fxios gecko get git go googlebot
  graphql group gzip headers head health healthz hook hooks hostname hosts html http https httponly hsts i18n ico id identity image images img
  import index indexof info insecure intel invite iphone ipad item items javascript jpeg jpg jquery js json jsonp keep keyword keywords khtml kit
  lang language last lax length library like limit linux list live locale location log login logout lookup mac macintosh manifest map master
  match max media message messages metadata method metrics mime mobile mode modified month mozilla multipart name navigate negotiate new news
  next no nocache none nosniff not notfound null number octet off offset ok old on open opera options opr order orders origin os package page
  pages params partial password patch path payload pdf php ping plain platform plugins png policy port post preview private product products
  profile propfind protocol proxy public put python python3 query range ready redirect referer referrer refresh register reload remember report
  request requested requests reset resource resources response rest retry return review reviews robots root rss safari samesite same save
  schema scheme script search sec secure security self send server service session set settings shop shop sign signup site sitemap size slug
  slurp sort source spider src start state static status status stream strict style styles stylesheet sub subscribe summary svg tab tag tags
  target te temp template test text theme time title to token topic trace track tracking trailers transfer transport true ttf type ua undefined
  unsafe update upgrade upload uploads uri url urlencoded user users utf utf8 utm value values verify version versions via video view wait web
  webhook webhooks webp websocket wget wheel widget win64 win windows woff woff2 wow64 wp www x x64 x86 xhtml xml xmlhttprequest yes zip zstd
  campaign medium includes json5 nt kde ubuntu debian fedora x11 u msie trident rv
  mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec gmt utc
  aes aes128 aes256 cbc ccm chacha20 dhe ecdhe ecdsa gcm poly1305 rsa sha sha256 sha384 ssl tls with
  connect localhost com org net example q
  amz amzn cdn cert cf country for ip keys key original ray real samlrequest samlresponse tls
`);
