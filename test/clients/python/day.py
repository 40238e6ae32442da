"""The day of test/clients/clients-day.ts with the client of openapi-python-client."""

import json
import os
import re
import time

import httpx

from generated.api.bookings import cancel_booking, update_booking, create_booking, get_booking
from generated.api.rooms import list_rooms
from generated.client import AuthenticatedClient
from generated.models.update_booking_body import UpdateBookingBody
from generated.models.create_booking_body import CreateBookingBody

day = json.loads(os.environ["DAY"])
client = AuthenticatedClient(base_url=day["url"], token=day["token"], raise_on_unexpected_status=True)

room = list_rooms.sync(client=client).data[0]

body = CreateBookingBody.from_dict(
    {
        "room_id": str(room.id),
        "start_at": day["start_at"],
        "end_at": day["end_at"],
        "booked_by": {"guest": {"name": "Grace Guest", "email": day["email"]}},
        "idempotency_key": day["idempotency_key"],
    }
)
booking = create_booking.sync(client=client, body=body)
session = re.search(r"cs_\w+", booking.checkout_url).group()
httpx.post(f"{day['pay_url']}/{session}/pay").raise_for_status()

while get_booking.sync(booking.id, client=client).status != "confirmed":
    time.sleep(0.5)

change = UpdateBookingBody.from_dict(
    {"start_at": day["end_at"], "end_at": day["later_end_at"], "notes": "By the window"}
)
changed = update_booking.sync(booking.id, client=client, body=change)
cancelled = cancel_booking.sync(booking.id, client=client)

later = AuthenticatedClient(base_url=day["later_url"], token=day["token"])
is_new = get_booking.sync(booking.id, client=later).status == "some_new_status"

start_at = changed.start_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
print(
    json.dumps(
        {
            "room": room.name,
            "start_at": start_at,
            "notes": changed.notes,
            "cancelled": cancelled.status,
            "isNew": is_new,
        }
    )
)
