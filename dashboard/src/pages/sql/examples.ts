/** Statements to begin with. */
import { engineers as engineersTexts } from '../../texts/engineers';

const { example } = engineersTexts.sql;

export const EXAMPLES = [
  {
    name: example.installs,
    query:
      'SELECT toDate(install_time) AS day, count() AS installs, countIf(reinstall) AS reinstalls\n' +
      'FROM installs\nWHERE install_time >= now() - INTERVAL 28 DAY\nGROUP BY day\nORDER BY day',
  },
  {
    name: example.campaigns,
    query:
      'SELECT campaign_name, count() AS clicks, uniq(ip) AS addresses\n' +
      'FROM clicks\nWHERE click_time >= now() - INTERVAL 7 DAY\nGROUP BY campaign_name\nORDER BY clicks DESC\nLIMIT 20',
  },
  {
    name: example.revenue,
    query:
      "SELECT toDate(time) AS day, currency, sum(amount) AS revenue\nFROM app_events\nWHERE type = 'payment' " +
      'AND time >= now() - INTERVAL 28 DAY\nGROUP BY day, currency\nORDER BY day',
  },
] as const;
