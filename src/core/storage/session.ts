/** The role that serves requests. It owns nothing and row-level security binds it. */
export const APPLICATION_ROLE = "sightline_app"

/** The settings of every session, on both engines. */
export const SESSION_SETTINGS = {
  search_path: "sightline,public",
  // A generic plan cannot know which filters are selective. Planning each list anew is eight times faster here.
  plan_cache_mode: "force_custom_plan",
  jit: "off",
  timezone: "UTC",
  datestyle: "ISO",
} as const
