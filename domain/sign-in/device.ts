/** The names in `User-Agent` headers. A browser comes before those that it also claims to be. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
];

const nameIn = (families: [RegExp, string][], userAgent: string): string | undefined =>
  families.find(([pattern]) => pattern.test(userAgent))?.[1];

/**
 * Returns the browser and system in a `User-Agent`, such as `Firefox on Windows`: enough for people to
 * recognise a device, and stable across browser updates.
 */
export function parseDevice(userAgent: string): string {
  const system = nameIn(SYSTEMS, userAgent);
  return `${nameIn(BROWSERS, userAgent) ?? 'Another browser'}${system ? ` on ${system}` : ''}`;
}
