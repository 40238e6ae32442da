-- True if a room, the workspace's logo, its booking page or the page's terms show a picture or PDF
-- (docs/rules/rooms.md#pictures).
CREATE OR REPLACE FUNCTION is_picture_shown(p pictures) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM rooms r
      WHERE r.workspace_id = p.workspace_id
        AND EXISTS (SELECT FROM unnest(r.image_urls) url WHERE right(url, length(p.key)) = p.key))
    OR EXISTS (SELECT FROM workspaces w WHERE w.id = p.workspace_id
      AND right(w.logo_url, length(p.key)) = p.key)
    OR EXISTS (SELECT FROM booking_pages b
      WHERE b.workspace_id = p.workspace_id AND right(b.theme ->> 'logo_url', length(p.key)) = p.key)
    OR EXISTS (SELECT FROM booking_page_terms t
      WHERE t.workspace_id = p.workspace_id AND t.file_key = p.key)
$$;
