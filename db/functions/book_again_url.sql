-- Returns where people can book in a workspace: the URL of its own page, or the path of the public booking
-- page; null if there is neither.
CREATE OR REPLACE FUNCTION book_again_url(workspace text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(w.booking_url, '/book/' || page.slug)
  FROM workspaces w LEFT JOIN booking_pages page ON page.workspace_id = w.id AND page.enabled
    WHERE w.id = workspace
$$;
