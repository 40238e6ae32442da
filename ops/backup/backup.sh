#!/bin/sh
# Writes a dump of the database into a folder, and removes all but the latest ones
# (docs/recovery.md#restoring-a-backup). The name of a complete dump ends with .dump. With --daily it repeats
# this once a day.
set -eu
umask 077
folder=${BACKUP_FOLDER:-/backup}
keep=${BACKUP_KEEP:-14}

if [ "${1:-}" = --daily ]; then
  while :; do
    if sh "$0"; then
      sleep 86400
    else
      echo 'the backup failed; the next try is in an hour' >&2
      sleep 3600
    fi
  done
fi

file=$folder/holdfast-$(date -u +%Y%m%dT%H%M%SZ).dump
rm -f "$folder"/holdfast-*.part
pg_dump --format=custom --no-owner --no-privileges --file="$file.part" "$DATABASE_OWNER_URL"
# Its table of contents can be read.
pg_restore --list "$file.part" >/dev/null
mv "$file.part" "$file"
echo "wrote $file"
find "$folder" -name 'holdfast-*.dump' | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm "$old"
  echo "removed $old"
done
