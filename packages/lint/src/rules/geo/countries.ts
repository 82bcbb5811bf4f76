/** The officially assigned codes of ISO 3166-1 alpha-2: 249, as of November 2025 (ISO Online Browsing Platform). */
const ASSIGNED = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`;

/** Country codes that an address can be located in. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(ASSIGNED.trim().split(/\s+/));

/** Common mistakes and the code that is meant: reserved codes, withdrawn codes with one successor, alpha-3 codes, and names. */
export const MISTAKEN_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ...pairs('UK:GB EL:GR FX:FR SF:FI DD:DE SU:RU BU:MM ZR:CD TP:TL'),
  ...pairs('USA:US GBR:GB DEU:DE GER:DE FRA:FR ITA:IT ESP:ES NLD:NL CAN:CA AUS:AU CHN:CN RUS:RU JPN:JP IND:IN BRA:BR'),
  ...pairs('KOR:KR PRK:KP IRN:IR UKR:UA POL:PL SWE:SE CHE:CH AUT:AT MEX:MX SGP:SG HKG:HK TUR:TR ENG:GB'),
]);

/** User-assigned codes of ISO 3166-1, and others, to which providers of location data give a meaning. */
export const SPECIAL_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ['XX', 'an unknown location'],
  ['ZZ', 'an unknown location'],
  ['XK', 'Kosovo'],
  ['T1', 'the Tor network'],
  ['A1', 'anonymous proxies'],
  ['A2', 'satellite providers'],
  ['O1', 'other countries'],
  ['AP', 'the Asia-Pacific region'],
  ['EU', 'the European Union'],
]);

function pairs(text: string): readonly (readonly [string, string])[] {
  return text.split(' ').map(pair => pair.split(':') as [string, string]);
}
