/** What browsers call themselves, the more specific before what they also claim to be. */
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
 * The family of browser and system that a `User-Agent` names, such as `Firefox on Windows`: as much as people
 * need to recognise a device, and the same after each update of the browser.
 */
export function parseDevice(userAgent: string): string {
  const system = nameIn(SYSTEMS, userAgent);
  return `${nameIn(BROWSERS, userAgent) ?? 'Another browser'}${system ? ` on ${system}` : ''}`;
}
