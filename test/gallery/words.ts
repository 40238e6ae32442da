/** Texts as people write them: long without a space, long with them, short, and from right to left. */
export const UNBROKEN = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenkasse';

export const NAMES = [
  'Ada Lovelace',
  'Maximiliane Featherstonehaugh-Cholmondeley of Basingstoke',
  'שרה כהן־לוי',
  'محمد عبد الرحمن الأنصاري',
  'Zoë Brontë',
  UNBROKEN,
  'Ng',
  'Rechtsschutzversicherungsgesellschaftsvertreter Jürgen Müßigbrodt',
] as const;

export const nameAt = (n: number): string => NAMES[n % NAMES.length]!;

/** An address that no other call with another number has returned; every fourth one is long. */
export const emailAt = (n: number): string =>
  n % 4 === 1
    ? `maximiliane.featherstonehaugh-cholmondeley.${n}@rechtsschutzversicherungsgesellschaft.example`
    : `guest${n}@example.com`;

export const ROOMS = [
  'Green room',
  'Großer Veranstaltungssaal mit Galerie und Bühne',
  UNBROKEN,
  'חדר הישיבות',
  'قاعة الاجتماعات',
  'Loft',
  'Library',
  'Workshop',
  'Podcast studio',
  'Garden room',
  'The Great Hall of the Harbour House with its Gallery',
  'Studio',
];

export const EXTRAS = [
  'Lunch',
  'Bewirtungspauschale mit Mittagstisch und Nachmittagskaffee, je Person!',
  UNBROKEN,
  'Projector',
];

export const PROSE =
  'Wir kommen mit der Straßenbahn und brauchen einen Projektor. Bitte stellen Sie die Stühle im Halbkreis ' +
  'auf, mit einem Rednerpult in der Mitte und der Kindertagesstättenleiterin in der ersten Reihe.';
