/** The input of `presentFeed`. */
export interface FeedFacts {
  id: string;
  member_id: string;
  room_id: string | null;
  created_at: Date;
}

/** A calendar feed as lists return it, without its address. */
export const presentFeed = ({ id, member_id, room_id, created_at }: FeedFacts) => ({
  id,
  kind: room_id ? ('room' as const) : ('member' as const),
  object_id: room_id ?? member_id,
  created_at: created_at.toISOString(),
});
