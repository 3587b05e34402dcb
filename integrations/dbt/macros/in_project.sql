{# The condition that every source is read with. #}
{% macro in_project() %}project_id = {{ var('project_id') }}{% endmacro %}

{# The day that is not over yet, in the time zone of the project. #}
{% macro today() %}toDate(now(), '{{ var('time_zone') }}'){% endmacro %}
