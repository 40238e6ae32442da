import type { Room } from '../../db/entities/rooms.js';
import { imageOrigin } from '../../domain/image-url.js';
import { useWords } from '../ui/language.js';

/** A response header lists these origins, and proxies limit its length. */
const MAX_ORIGINS = 20;

export const imageOrigins = (urls: string[]): string[] =>
  [...new Set(urls.flatMap((url) => imageOrigin(url) ?? []))].slice(0, MAX_ORIGINS);

/** `Up to 8 people · 24 m² · 2nd floor`, and the features, as far as they are known. */
export function RoomFeatures({ of, price }: { of: Room; price?: string }) {
  const words = useWords();
  // `Up to 8 people`, if that is limited.
  const capacity = of.capacity !== null && words.say('page.capacity', { people: of.capacity });
  const facts = [capacity, of.size_m2 && `${of.size_m2} m²`, of.floor, price].filter(Boolean);
  return (
    <>
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
      {of.features.length > 0 && (
        <ul class="features">
          {of.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The pictures of a room side by side, scrolling if they don't fit. */
export function Pictures({ of: { name, image_urls } }: { of: Room }) {
  const words = useWords();
  if (image_urls.length === 0) return null;
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
