FIGURES = {"ends": "where walks end"}
