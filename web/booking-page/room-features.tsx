import type { Room } from '../../db/entities/rooms.js';
import { imageOrigin } from '../../domain/image-url.js';
import { useWords } from '../ui/language.js';
import { TONES } from '../ui/tones.js';

/** A response header lists the origins of pictures, and proxies limit the length of a header. */
const MAX_ORIGINS = 20;

export const imageOrigins = (urls: string[]): string[] =>
  [...new Set(urls.flatMap((url) => imageOrigin(url) ?? []))].slice(0, MAX_ORIGINS);

/** `Up to 8 people · 24 m² · 2nd floor`, without the parts that the room has no value for. */
export function RoomFacts({ of }: { of: Room }) {
  const words = useWords();
  // `Up to 8 people`, if that is limited.
  const capacity = of.capacity !== null && words.say('page.capacity', { people: of.capacity });
  const facts = [capacity, of.size_m2 && `${of.size_m2} m²`, of.floor].filter(Boolean);
  return facts.length > 0 ? <p class="facts">{facts.join(' · ')}</p> : null;
}

/** The features of a room. `most`: beyond this number, only how many more there are. */
export function RoomFeatures({ of, most = of.length }: { of: string[]; most?: number }) {
  if (of.length === 0) return null;
  const shown = of.length > most ? of.slice(0, most) : of;
  return (
    <ul class="features">
      {shown.map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
      {shown.length < of.length && <li>+{of.length - shown.length}</li>}
    </ul>
  );
}

/** The tone of a room. It is derived from the room's id, so it never changes. */
const pickTone = ({ id }: Room): number => Number.parseInt(id.slice(-4), 16) % TONES.picture;

/** The first picture of a room; without one, the first letter of its name on its tone. */
export function RoomPicture({ of }: { of: Room }) {
  const [url] = of.image_urls;
  if (url) return <img class="room-picture" src={url} alt="" loading="lazy" />;
  return (
    <div class={`room-picture picture-${pickTone(of)}`} aria-hidden="true">
      {[...of.name.trim()][0]?.toUpperCase()}
    </div>
  );
}

/** The pictures of a room side by side, scrolling if they don't fit. */
export function Pictures({ of }: { of: Room }) {
  const words = useWords();
  const { name, image_urls } = of;
  if (image_urls.length === 0) return <RoomPicture of={of} />;
  return (
    <div
      class="pictures"
      role="group"
      aria-label={words.say('page.pictures_of', { room: name })}
      tabIndex={0}
    >
      {image_urls.map((url, n) => (
        <img key={url} src={url} alt={words.say('page.picture', { room: name, n: n + 1 })} />
      ))}
    </div>
  );
}
