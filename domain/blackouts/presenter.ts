/** The input of `presentBlackout`. */
export interface BlackoutFacts {
  id: string;
  start_at: Date;
  end_at: Date;
  reason: string | null;
  created_at: Date;
}

/** A blackout as the API returns it (docs/rules/rooms.md#blackouts). */
export function presentBlackout(blackout: BlackoutFacts) {
  return {
    id: blackout.id,
    start_at: blackout.start_at.toISOString(),
    end_at: blackout.end_at.toISOString(),
    reason: blackout.reason,
    created_at: blackout.created_at.toISOString(),
  };
}
