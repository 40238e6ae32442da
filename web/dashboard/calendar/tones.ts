/** As many as the styles `tones` have. */
const TONES = 8;

/** The class of a room's colour: by its place among the rooms of the workspace, so neighbours differ. */
export function roomTone(rooms: readonly { id: string }[], id: string): string {
  return `tone-${
    (Math.max(
      0,
      rooms.findIndex((room) => room.id === id),
    ) %
      TONES) +
    1
  }`;
}
