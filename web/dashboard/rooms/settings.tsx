import type { ComponentChildren } from 'preact';
import { pictureKeyIn } from '../../../domain/rooms/picture.js';
import { MAX_IMAGES } from '../../../domain/rooms/room.js';
import { page, type PageProps } from '../forms/page.js';
import { Form } from '../shared/form.js';
import { pathIn } from '../shared/paths.js';
import { PictureUpload } from '../shared/picture-upload.js';
import { hours } from './hours.js';
import { readRoom, type RoomPage } from './read-room.js';
import {
  appearance,
  archiving,
  arrival,
  details,
  parts,
  price,
  refunds,
  removePicture,
  selfServiceOff,
  selfServiceOn,
  uploadPicture,
} from './settings-forms.js';
import { roomTabs } from './tabs.js';

/** The uploaded pictures of a room, each with a button that removes it, and a field for another one. */
function Pictures({ page: { ctx, at, data } }: { page: PageProps<RoomPage> }) {
  const { room, canUpload } = data;
  const own = room.image_urls.filter((url) => pictureKeyIn(url));
  if (!canUpload) return null;
  return (
    <div class="card pictures">
      <h3>Uploaded pictures</h3>
      {own.map((url, n) => (
        <Form key={url} ctx={ctx} action={pathIn(ctx, at + removePicture.path)} class="picture" once>
          <img src={new URL(url).pathname} alt={`Picture ${n + 1}`} width="160" loading="lazy" />
          <input type="hidden" name="url" value={url} />
          <button class="quiet" aria-label={`Remove picture ${n + 1}`}>
            Remove
          </button>
        </Form>
      ))}
      {room.image_urls.length < MAX_IMAGES ? (
        <PictureUpload ctx={ctx} action={pathIn(ctx, at + uploadPicture.path)} label="Picture" />
      ) : (
        <p>A room can have at most {MAX_IMAGES} pictures. Remove one to upload another.</p>
      )}
    </div>
  );
}

interface Section {
  id: string;
  title: string;
  Forms: (props: { page: PageProps<RoomPage> }) => ComponentChildren;
}

const SECTIONS: Section[] = [
  { id: 'opening-hours', title: 'Hours', Forms: hours.Open },
  { id: 'price', title: 'Price and access', Forms: price.Open },
  { id: 'names', title: 'Name and times', Forms: details.Open },
  {
    id: 'pictures',
    title: 'Pictures',
    Forms: ({ page }) => (
      <>
        <Pictures page={page} />
        <appearance.Open page={page} />
      </>
    ),
  },
  { id: 'arrival', title: 'Arrival', Forms: arrival.Open },
  { id: 'refunds', title: 'Refunds', Forms: refunds.Open },
  { id: 'room-parts', title: 'Parts', Forms: parts.Open },
  {
    id: 'self-service',
    title: 'Self-service',
    Forms: ({ page }) =>
      page.data.room.self_service ? <selfServiceOff.Open page={page} /> : <selfServiceOn.Open page={page} />,
  },
  { id: 'archive', title: 'Archive', Forms: archiving.Open },
];

function Settings(props: PageProps<RoomPage>) {
  return (
    <>
      <nav class="links" aria-label="On this page">
        {SECTIONS.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      {SECTIONS.map(({ id, title, Forms }) => (
        <section key={id}>
          <h2 id={id}>{title}</h2>
          <Forms page={props} />
        </section>
      ))}
    </>
  );
}

/** The settings of a room, with a form each. */
export const roomSettingsPage = page<RoomPage>({
  path: '/rooms/:id/settings',
  capability: 'write_rooms',
  title: ({ room }) => room.name,
  tabs: roomTabs,
  load: readRoom,
  view: Settings,
  forms: [
    hours,
    price,
    details,
    appearance,
    uploadPicture,
    removePicture,
    arrival,
    refunds,
    parts,
    selfServiceOn,
    selfServiceOff,
    ...archiving.forms,
  ],
});
